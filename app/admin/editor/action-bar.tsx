import { useEffect, useState, type RefObject } from 'react';
import type { AdminContext } from '#app/admin/screen.ts';
import { adminUrl } from '#app/admin/admin-url.ts';
import { Time } from '#app/ui/time.tsx';
import { startAutosave, type AutosaveState } from './autosave.ts';
import type { EditorData } from './editor-data.server.ts';

/** Always in sight: where the post stands, whether it is saved, and the buttons. The first one saves. */
export function ActionBar({
  data,
  adminContext,
  form,
}: {
  data: EditorData;
  adminContext: AdminContext;
  form: RefObject<HTMLFormElement | null>;
}) {
  const { post, may } = data;
  const status = post?.status ?? 'draft';
  return (
    <div className="editor-bar">
      <div className="editor-bar-state">
        <span className={`state state-${status}`}>{status}</span>
        <SaveState data={data} adminContext={adminContext} form={form} />
      </div>
      <div className="editor-bar-buttons">
        {may.save ? (
          <button className="primary" name="intent" value="save">
            {status === 'published' ? 'Update' : 'Save'}
          </button>
        ) : null}
        <button name="intent" value="preview">
          Preview
        </button>
        {may.publish && status !== 'scheduled' && status !== 'published' ? (
          <button name="intent" value="schedule">
            Schedule
          </button>
        ) : null}
        {may.publish && status !== 'published' ? (
          <button name="intent" value="publish">
            Publish now
          </button>
        ) : null}
      </div>
    </div>
  );
}

function SaveState({ data, adminContext, form }: Parameters<typeof ActionBar>[0]) {
  const [state, setState] = useState<AutosaveState>({ kind: 'clean' });
  const { adminPath } = adminContext;
  const isNew = data.post === null;
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const url = adminUrl(adminPath, 'posts', isNew ? 'new' : data.postId);
    return startAutosave(element, {
      url: () => url,
      onState: setState,
      onSaved: ({ saved, version, savedAt }) => {
        setHidden(element, 'version', String(version));
        if (saved === 'copy') setHidden(element, 'autosavedAt', savedAt);
        // From now on this is the form of a post that exists: a reload, and Save, must find it.
        if (isNew)
          window.history.replaceState(window.history.state, '', adminUrl(adminPath, 'posts', data.postId));
      },
    });
  }, [form, adminPath, data.postId, isNew]);

  return (
    <span className="save-state hint" role="status">
      {state.kind === 'clean' && data.post ? (
        <>
          Saved <Time instant={data.post.updatedAt} {...adminContext} />
        </>
      ) : null}
      {state.kind === 'typing' ? 'Not saved yet' : null}
      {state.kind === 'saving' ? 'Saving…' : null}
      {state.kind === 'saved' ? (
        <SavedAt place={state.in} at={state.at} adminContext={adminContext} status={data.post?.status} />
      ) : null}
      {state.kind === 'failed' ? (
        <strong className="field-error">
          Not saved: {state.message} <Remedy remedy={state.remedy} adminPath={adminPath} />
        </strong>
      ) : null}
    </span>
  );
}

type Failed = Extract<AutosaveState, { kind: 'failed' }>;

function Remedy({ remedy, adminPath }: { remedy: Failed['remedy']; adminPath: string }) {
  if (remedy === 'save') return <>Your text is safe on this page. Save to see both versions.</>;
  if (remedy === 'retry') return <>Your text is safe on this page; trying again.</>;
  return (
    <>
      <a href={adminUrl(adminPath, 'login')} target="_blank" rel="noreferrer">
        Log in in another tab
      </a>{' '}
      and continue here; your text is safe on this page.
    </>
  );
}

/** What the copy's text waits for, by the post's state. */
const consequences: Record<string, string> = {
  published: ', not public until you update',
  scheduled: ', not in the scheduled post until you save',
};

function SavedAt({
  place,
  at,
  adminContext,
  status = 'draft',
}: {
  place: 'post' | 'copy';
  at: Date;
  adminContext: AdminContext;
  status: string | undefined;
}) {
  const time = new Intl.DateTimeFormat(adminContext.language, {
    timeStyle: 'short',
    timeZone: adminContext.timeZone,
  });
  return (
    <>
      {place === 'post' ? 'Saved' : 'Unsaved changes kept'}{' '}
      <time dateTime={at.toISOString()}>{time.format(at)}</time>
      {place === 'copy' ? (consequences[status] ?? '') : null}
    </>
  );
}

function setHidden(form: HTMLFormElement, name: string, value: string): void {
  let input = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`);
  if (!input) {
    input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    form.append(input);
  }
  input.value = value;
}
