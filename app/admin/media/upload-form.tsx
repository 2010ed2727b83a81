import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import { messageOf } from '#app/platform/errors.ts';
import { type Message } from '#app/platform/message.ts';
import { useWords } from '#app/ui/words.ts';
import { sendForm } from './upload.ts';

interface UploadFormProps {
  action: string;
  errors?: Message[];
  children: ReactNode;
}

/**
 * A form with files. With scripts it shows the progress of the upload, and takes files that are dropped anywhere on the
 * page or come from the camera.
 */
export function UploadForm({ action, errors, children }: UploadFormProps) {
  const t = useWords();
  const [share, setShare] = useState<number | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const isOver = useDroppedFiles(form);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (share !== null) return;
    setProblems([]);
    setShare(0);
    void upload(action, new FormData(event.currentTarget), setShare).then(({ stored, messages }) => {
      setShare(null);
      setProblems(messages);
      if (messages.length === 0) window.location.assign(`${action}?stored=${stored}`);
    });
  };
  return (
    <form
      ref={form}
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
        <CameraButton onTaken={(files) => sendFiles(form.current, files)} />
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
      {isOver ? <p className="drop-hint">{t('Drop files to upload them')}</p> : null}
    </form>
  );
}

/** Takes a photo where a device has a camera (the style sheet hides it elsewhere). */
export function CameraButton({ onTaken }: { onTaken: (files: FileList | null) => void }) {
  const t = useWords();
  const open = () => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', accept: 'image/*', onchange: () => onTaken(input.files) });
    input.setAttribute('capture', 'environment');
    input.click();
  };
  return (
    <button type="button" className="camera" onClick={open}>
      {t('Take a photo')}
    </button>
  );
}

function sendFiles(form: HTMLFormElement | null, files: FileList | null | undefined): void {
  const field = form?.querySelector<HTMLInputElement>('input[name=file]');
  if (!form || !field || !files || files.length === 0) return;
  field.files = files;
  form.scrollIntoView({ block: 'nearest' });
  form.requestSubmit();
}

/** Sends files that are dropped anywhere on the page. @returns whether files are held over the page */
function useDroppedFiles(form: RefObject<HTMLFormElement | null>): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // Of a page that is left the next element is none.
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      sendFiles(form.current, event.dataTransfer?.files);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, [form]);
  return isOver;
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
