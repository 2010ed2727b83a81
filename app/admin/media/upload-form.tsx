import { useState, type FormEvent, type ReactNode } from 'react';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import { messageOf } from '#app/platform/errors.ts';
import { type Message } from '#app/platform/message.ts';
import { useWords } from '#app/ui/words.ts';
import { sendForm } from './send-form.ts';

/** A form with files. With scripts it shows the progress of the upload. */
export function UploadForm({
  action,
  errors,
  children,
}: {
  action: string;
  errors?: Message[];
  children: ReactNode;
}) {
  const t = useWords();
  const [share, setShare] = useState<number | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (share !== null) return;
    const form = event.currentTarget;
    setProblems([]);
    setShare(0);
    void upload(action, new FormData(form), setShare).then(({ stored, messages }) => {
      setShare(null);
      setProblems(messages);
      if (messages.length === 0) window.location.assign(`${action}?stored=${stored}`);
    });
  };
  return (
    <form
      method="post"
      encType="multipart/form-data"
      action={action}
      className="panel media-upload"
      onSubmit={send}
    >
      <PageUserField />
      {children}
      <div className="row">
        <button className="primary" aria-disabled={share !== null}>
          {t('Upload')}
        </button>
        {share === null ? null : (
          <>
            <progress value={share} aria-label={t('Upload')} />
            <span className="hint" role="status">
              {share < 1 ? `${Math.round(share * 100)} %` : t('Preparing the images…')}
            </span>
          </>
        )}
      </div>
      {problems.length > 0 && !errors ? (
        <ul className="field-error" role="alert">
          {problems.map((problem) => (
            <li key={problem}>{t.message(problem)}</li>
          ))}
        </ul>
      ) : null}
    </form>
  );
}

/** Sends the files. Returns how many were stored, and why the others were not. */
async function upload(
  url: string,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<{ stored: number; messages: string[] }> {
  try {
    const { status, answer } = await sendForm(url, form, { onProgress });
    const failed = status >= 400 ? [answer?.error?.message ?? 'The upload failed.'] : [];
    const errors = Array.isArray(answer?.errors) ? answer.errors : undefined;
    const notes = errors && [...errors, ...(answer?.warnings ?? [])];
    const messages = notes?.map(({ name, message }) => (name ? `${name}: ${message}` : message));
    return { stored: answer?.media?.length ?? 0, messages: messages ?? failed };
  } catch (error) {
    return { stored: 0, messages: [messageOf(error)] };
  }
}
