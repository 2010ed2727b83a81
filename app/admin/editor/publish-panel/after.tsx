import { useRef, useState } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';

/** What the panel shows after a post was published or scheduled: its link, and what to do next. */
export function AfterPublishingPanel({
  status,
  title,
  address,
  when,
  adminContext,
  onClose,
}: {
  status: 'published' | 'scheduled';
  title: string;
  address: string;
  /** The publication time in words. */
  when: string;
  adminContext: AdminContext;
  onClose: () => void;
}) {
  const t = useWords();
  const { adminPath } = adminContext;
  const link = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = () => {
    link.current!.select();
    // Only pages over HTTPS have `navigator.clipboard`; the older command works everywhere.
    const done = navigator.clipboard?.writeText(address) ?? Promise.reject(new Error('No clipboard'));
    done.then(
      () => setCopied(true),
      () => setCopied(document.execCommand('copy')),
    );
  };
  const isPublished = status === 'published';
  return (
    <div className="publish-done">
      <h2 id="publish-title" tabIndex={-1} ref={(heading) => heading?.focus()}>
        {isPublished ? t('Published') : t('Scheduled')}
      </h2>
      <p role="status">
        <strong>{title}</strong>{' '}
        {isPublished ? t('is on the site.') : t('will be published on {when}.', { when })}
      </p>
      <div className="row copy-link">
        <input ref={link} aria-label={t('Link to the post')} value={address} readOnly />
        <button type="button" onClick={copy}>
          {copied ? t('Copied') : t('Copy link')}
        </button>
      </div>
      <div className="row">
        {isPublished ? (
          <a className="button primary" href={address}>
            {t('Open the post')}
          </a>
        ) : null}
        <a className="button" href={`${adminUrl(adminPath, 'posts')}?status=draft`}>
          {t('Schedule the next draft')}
        </a>
        <a className="button" href={adminUrl(adminPath, 'posts', 'new')}>
          {t('Write the next post')}
        </a>
        <button type="button" className="quiet" onClick={onClose}>
          {t('Back to the text')}
        </button>
      </div>
    </div>
  );
}
