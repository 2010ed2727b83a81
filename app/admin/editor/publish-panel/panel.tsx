import { useEffect, useRef, useState } from 'react';
import { pageActionOf } from '#app/admin/editor/live/base/tools.ts';
import { readFields, setField, useFormValues } from '#app/admin/editor/model/form-fields.ts';
import { focusText, readText } from '#app/admin/editor/model/text-source.ts';
import { useCovers } from '#app/admin/editor/model/thumbnails.ts';
import { FormPreview, usePublication } from '#app/admin/editor/preview/publication.tsx';
import type { PublishCheck } from '#app/admin/editor/preview/publish-checks.ts';
import { NO_PROBLEMS, SharedCard } from '#app/admin/editor/preview/share.tsx';
import { deviceTime } from '#app/admin/editor/saving/device-copy.ts';
import { SaveProblem } from '#app/admin/editor/saving/save-status.tsx';
import type { Saving } from '#app/admin/editor/saving/use-session.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { shortTime } from '#app/admin/times/local.ts';
import { publicationTimes } from '#app/admin/times/publication-times.ts';
import { inEnglish } from '#app/platform/message.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { useWords } from '#app/ui/words.ts';
import {
  Details,
  Elsewhere,
  panelFields,
  type PanelField,
  type PublishPanelProps,
  WhenChoice,
  type When,
} from './fields.tsx';
import { PUBLISH_AND_SEND, SendByEmail } from './send-by-email.tsx';

const none: Saving['errors'] = {};
/** The fields whose errors the panel shows. Any other error closes the panel. */
const fieldsOfPanel: ReadonlySet<string> = new Set(panelFields.filter((name) => name !== 'title'));

/** The fields of the panel in which one corrects what a check is about. */
const fieldsOfChecks: Partial<Record<PublishCheck['name'], PanelField>> = {
  cover: 'coverAlt',
  excerpt: 'excerpt',
};

/**
 * The panel over the editor that publishes a post. Its fields write into those of the form, so their values are saved
 * with the rest. Its buttons submit the form.
 */
export function PublishPanel(props: PublishPanelProps) {
  const t = useWords();
  const { form, formId, saving, adminContext, intent, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [opened] = useState(() => readFields(form.current!));
  // By this device's clock until the server has answered, so that nothing moves under the pointer then.
  const [timesHere] = useState(() => publicationTimes(deviceTime(), adminContext));
  const now = useFormValues(form, panelFields, opened);
  const { publication, failed } = usePublication(
    form,
    { ...adminContext, post: saving.data.post },
    panelFields.map((name) => now[name]).join('\n'),
  );
  const { onCategories } = props;
  const categories = publication?.categories;
  useEffect(() => {
    if (categories) onCategories(categories);
  }, [categories, onCategories]);
  const [when, setWhen] = useState<When>(() =>
    intent === 'schedule'
      ? { kind: 'own', time: opened.publishedAt ?? '', occurrence: opened.publishedAtOccurrence ?? 'first' }
      : { kind: 'now', time: '', occurrence: 'first' },
  );
  const [pressed, setPressed] = useState<{ status: 'published' | 'scheduled'; after: number } | null>(null);
  useEffect(() => {
    dialog.current!.showModal();
    dialog.current!.querySelector<HTMLElement>('.when :checked')?.focus();
  }, []);

  const { post } = saving.data;
  const isDone = pressed !== null && post?.status === pressed.status && post.version > pressed.after;
  // Errors from before the panel was opened are not shown, since they may be corrected.
  const [before] = useState(saving.errors);
  const errors = saving.errors === before ? none : saving.errors;
  const hasErrorBelow = Object.keys(errors).some((name) => fieldsOfPanel.has(name) && name !== 'publishedAt');
  const covers = useCovers(form);
  const hasErrorInForm = Object.keys(errors).some((name) => !fieldsOfPanel.has(name));
  useEffect(() => {
    if (!hasErrorInForm) return dialog.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    dialog.current?.close();
    // The page's list of errors could not get the focus while the panel was open.
    const first = Object.keys(errors)[0]!;
    document.getElementById(`field-${first}`)?.focus();
  }, [hasErrorInForm, errors]);

  const isNow = when.kind === 'now';
  const confirm = () => {
    if (!isNow) {
      setField(form.current!, 'publishedAt', when.time);
      setField(form.current!, 'publishedAtOccurrence', when.occurrence);
    }
    setPressed({ status: isNow ? 'published' : 'scheduled', after: post?.version ?? 0 });
  };
  /** Brings what a check is about: a field of the panel, or the place in the text. */
  const correct = (check: PublishCheck['name']) => {
    const field = dialog.current!.querySelector<HTMLElement>(`[name="${fieldsOfChecks[check] ?? ''}"]`);
    if (field) {
      field.closest('details')!.open = true;
      return field.focus();
    }
    dialog.current!.close();
    const { title, body } = form.current!.elements as unknown as Record<string, HTMLTextAreaElement>;
    if (check === 'title') return title!.focus();
    const picture = check === 'alt' ? readText(body!).indexOf('![](') : -1;
    focusText(body!, picture < 0 ? undefined : picture);
  };
  const set = (name: PanelField) => (value: string) => setField(form.current!, name, value);
  const isSent = publication?.mail != null && now.sendByEmail === 'yes';
  const whenInWords = shortTime(when.time, adminContext, when.occurrence);
  return (
    <dialog
      ref={dialog}
      className="publish-panel"
      aria-labelledby="publish-title"
      onClose={() => {
        onClose();
        // After the publication the button that opened the panel no longer exists, so the text gets the focus.
        if (isDone) focusText(form.current!.querySelector<HTMLTextAreaElement>('[name=body]')!);
      }}
      onKeyDown={(event) => {
        // Ctrl+S saves the post here too. Otherwise the browser would save the page.
        if (pageActionOf(event.nativeEvent) !== 'save') return;
        event.preventDefault();
        form.current!.requestSubmit(form.current!.querySelector('button'));
      }}
    >
      {isDone ? (
        <AfterPublishingPanel
          status={pressed.status}
          title={now.title}
          address={adminContext.siteUrl + encodePath(postPath(post.slug))}
          when={`${whenInWords} (${t('{timeZone} time', { timeZone: adminContext.timeZone })})`}
          adminContext={adminContext}
          onClose={() => dialog.current?.close()}
        />
      ) : (
        <>
          <header>
            <h2 id="publish-title">{t('Publish “{title}”', { title: now.title || t('Untitled') })}</h2>
            <button type="button" className="quiet" onClick={() => dialog.current?.close()}>
              {t('Cancel')}
            </button>
          </header>
          <div className="publish-panel-body">
            <div className="stack">
              <SaveProblem saving={saving} adminContext={adminContext} />
              <WhenChoice
                when={when}
                onChange={setWhen}
                times={publication ?? timesHere}
                errors={errors.publishedAt}
                adminContext={adminContext}
              />
              {publication?.mail ? (
                <SendByEmail
                  mail={publication.mail}
                  isChosen={isSent}
                  onChange={(checked) => set('sendByEmail')(checked ? 'yes' : '')}
                  preview={
                    post && { formId, url: adminUrl(adminContext.adminPath, 'posts', post.id, 'mail') }
                  }
                />
              ) : null}
              <Where address={publication?.address ?? adminContext.siteUrl} />
              <Checks publication={publication} failed={failed} onCorrect={correct} />
            </div>
            <section className="look" aria-label={t('When it is shared')}>
              <FormPreview now={now} covers={covers} publication={publication} As={SharedCard} />
            </section>
            <details className="more publish-more" open={hasErrorBelow || undefined}>
              <summary>{t('More')}</summary>
              <div className="publish-more-fields">
                <div className="stack">
                  <Details {...props} saving={{ ...saving, errors }} now={now} set={set} />
                </div>
                <section className="stack" aria-label={t('How it looks elsewhere')}>
                  <Elsewhere
                    {...props}
                    saving={{ ...saving, errors }}
                    now={now}
                    set={set}
                    publication={publication}
                  />
                </section>
              </div>
            </details>
          </div>
          <footer>
            <button
              form={formId}
              name="intent"
              value={isNow ? 'publish' : 'schedule'}
              className="primary"
              onClick={confirm}
            >
              {isNow
                ? isSent
                  ? t.count(...PUBLISH_AND_SEND, publication?.mail?.recipients ?? 0)
                  : t('Publish now')
                : whenInWords
                  ? t('Schedule for {whenInWords}', { whenInWords })
                  : t('Schedule')}
            </button>
          </footer>
        </>
      )}
    </dialog>
  );
}

function Where({ address }: { address: string }) {
  const t = useWords();
  return (
    <section aria-labelledby="publish-where" className="publish-where">
      <h3 id="publish-where">{t('Where')}</h3>
      <p>{address}</p>
    </section>
  );
}

/** What the post lacks, as one sentence: it prevents nothing. */
function Checks({
  publication,
  failed,
  onCorrect,
}: ReturnType<typeof usePublication> & { onCorrect: (check: PublishCheck['name']) => void }) {
  const t = useWords();
  return (
    <section aria-labelledby="publish-checks" className="publish-panel-checks" aria-live="polite">
      <h3 id="publish-checks">{t('Before publishing')}</h3>
      <p className="hint">
        {publication === null
          ? failed
            ? t('The checks failed: the server can’t be reached.')
            : t('Checking…')
          : publication.checks.length === 0
            ? t(NO_PROBLEMS)
            : publication.checks.map(({ name, message }) => (
                <span key={`${name} ${inEnglish(message)}`} data-check={name}>
                  <button type="button" className="link" onClick={() => onCorrect(name)}>
                    {t.message(message)}
                  </button>{' '}
                </span>
              ))}
      </p>
    </section>
  );
}

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
