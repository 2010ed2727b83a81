import { useEffect, useRef, useState, type RefObject } from 'react';
import { readFields } from '#app/admin/editor/model/form-fields.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PAGE_USER_FIELD, pageUserHeader } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';

export interface PagePreviewProps {
  form: RefObject<HTMLFormElement | null>;
  adminContext: AdminContext;
  /** Null: there is no link to share, because the post is not saved yet or public already. */
  postId: string | null;
  onClose: () => void;
}

type Scheme = 'light' | 'dark';

const FRAME = 'page-preview';
const ownScheme = (): Scheme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

/** The page as the site renders it, with what is in the form: wide or as on a phone, light or dark. */
export function PagePreview({ form, adminContext, postId, onClose }: PagePreviewProps) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isPhone, setPhone] = useState(false);
  const [scheme, setScheme] = useState<Scheme>(ownScheme);
  useEffect(() => dialog.current!.showModal(), []);
  useEffect(() => {
    // The page below would keep room for its scrollbar, beside that of the frame.
    const { style } = document.documentElement;
    style.scrollbarGutter = 'auto';
    style.overflow = 'hidden';
    return () => {
      style.scrollbarGutter = '';
      style.overflow = '';
    };
  }, []);
  useEffect(() => {
    const { adminPath, user } = adminContext;
    const action = `${adminUrl(adminPath, 'preview')}?page&post=${postId ?? ''}`;
    post(action, { ...readFields(form.current!), [PAGE_USER_FIELD]: user?.id ?? '' });
  }, [form, adminContext, postId, scheme]);
  return (
    <dialog ref={dialog} className="page-preview" aria-label={t('Preview')} onClose={onClose}>
      <header>
        <div className="segments page-preview-widths" role="group" aria-label={t('Width')}>
          <button type="button" aria-pressed={!isPhone} onClick={() => setPhone(false)}>
            {t('Desktop')}
          </button>
          <button type="button" aria-pressed={isPhone} onClick={() => setPhone(true)}>
            {t('Phone')}
          </button>
        </div>
        <div className="segments" role="group" aria-label={t('Colour scheme')}>
          {(['light', 'dark'] as const).map((name) => (
            <button key={name} type="button" aria-pressed={scheme === name} onClick={() => setScheme(name)}>
              {name === 'light' ? t('Light') : t('Dark')}
            </button>
          ))}
        </div>
        {postId ? <ShareLink url={adminUrl(adminContext.adminPath, 'posts', postId, 'previews')} /> : null}
        <button type="button" className="quiet" onClick={() => dialog.current!.close()}>
          {t('Close')}
        </button>
      </header>
      <div className={`frames-${scheme} ${isPhone ? 'page-preview-phone' : 'page-preview-wide'}`}>
        <iframe key={scheme} name={FRAME} title={t('Preview')} />
      </div>
    </dialog>
  );
}

/** Makes a link that anyone can open, and copies it. */
function ShareLink({ url }: { url: string }) {
  const t = useWords();
  const field = useRef<HTMLInputElement>(null);
  const [address, setAddress] = useState('');
  const [state, setState] = useState<'making' | 'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (!address) return;
    field.current!.select();
    navigator.clipboard?.writeText(address).then(
      () => setState('copied'),
      // It is selected, for the keyboard.
      () => {},
    );
  }, [address]);
  const make = async () => {
    setState('making');
    try {
      const headers = { Accept: 'application/json', ...pageUserHeader() };
      const body = new URLSearchParams({ intent: 'create' });
      const response = await fetch(url, { method: 'POST', headers, body });
      const { created } = (await response.json()) as { created: { address: string } };
      setAddress(created.address);
    } catch {
      setState('failed');
    }
  };
  if (address)
    return (
      <>
        <input ref={field} aria-label={t('Link')} value={address} readOnly />
        <span className="hint" role="status">
          {state === 'copied' ? t('Copied') : ''}
        </span>
      </>
    );
  return (
    <>
      <button type="button" disabled={state === 'making'} onClick={() => void make()}>
        {t('Share a link')}
      </button>
      {state === 'failed' ? <span role="alert">{t('The server cannot be reached.')}</span> : null}
    </>
  );
}

/** Sends the fields to the frame: a page's address is too short for a text. */
function post(action: string, fields: Record<string, string>): void {
  const sent = document.createElement('form');
  Object.assign(sent, { method: 'post', action, target: FRAME, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('textarea');
    Object.assign(field, { name, value });
    sent.append(field);
  }
  document.body.append(sent);
  sent.submit();
  sent.remove();
}
