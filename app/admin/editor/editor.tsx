import { useRef } from 'react';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { ActionResult, AdminContext } from '#app/admin/screen.ts';
import { Time } from '#app/ui/time.tsx';
import { ActionBar } from './action-bar.tsx';
import { Conflict } from './conflict.tsx';
import type { EditorData } from './editor-data.server.ts';
import type { EditorResult } from './editor-result.ts';
import { SidePanels } from './side-panels.tsx';
import { TextPanel } from './text-panel.tsx';
import { UnsavedCopy } from './unsaved-copy.tsx';

interface EditorProps {
  data: EditorData;
  result: ActionResult<EditorResult> | undefined;
  adminContext: AdminContext;
}

// Errors of what has no field on the page stand in the notice.
const unseen = ['version', 'intent', 'id', 'copy'];

/** The post form. The first button saves, so Enter saves; without JavaScript nothing is missing. */
export default function Editor(props: EditorProps) {
  const { data, result, adminContext } = props;
  const { conflict, unsavedCopy } = result ?? {};
  if (conflict && data.post) return <Conflict {...{ conflict, data, adminContext }} />;
  if (unsavedCopy) return <UnsavedCopy page={unsavedCopy} postId={data.postId} adminContext={adminContext} />;
  return <PostForm {...props} />;
}

function PostForm({ data, result, adminContext }: EditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const { post } = data;
  const values = { ...data.values, ...result?.values };
  const errors = result?.errors ?? {};
  const field = (name: string) => ({ name, defaultValue: values[name], errors: errors[name] });
  const elsewhere = unseen.flatMap((name) => errors[name] ?? []);
  const version = post ? (values.version ?? String(post.version)) : undefined;
  return (
    <form
      method="post"
      className="editor"
      ref={form}
      action={result?.isReplacement ? adminUrl(adminContext.adminPath, 'posts', 'new') : undefined}
    >
      <nav className="crumbs" aria-label="Breadcrumb">
        <ol>
          <li>
            <a href={adminUrl(adminContext.adminPath, 'posts')}>Posts</a>
          </li>
          <li aria-current="page">{post ? 'Edit' : 'New post'}</li>
        </ol>
      </nav>
      <h1 className="sr-only">{post ? `Edit “${data.values.title}”` : 'New post'}</h1>
      <ActionBar data={data} adminContext={adminContext} form={form} />
      {result?.message ? (
        <p className="notice notice-error" role="alert">
          {[result.message, ...elsewhere].join(' ')}
        </p>
      ) : (
        <Notices data={data} adminContext={adminContext} />
      )}
      {version === undefined ? null : <input type="hidden" name="version" value={version} />}
      {values.autosavedAt ? <input type="hidden" name="autosavedAt" value={values.autosavedAt} /> : null}
      {post ? null : <input type="hidden" name="id" value={data.postId} />}
      <div className="editor-columns">
        <TextPanel
          field={field}
          previewUrl={adminUrl(adminContext.adminPath, 'preview')}
          mediaUrl={adminUrl(adminContext.adminPath, 'media')}
          rendered={result?.preview ?? null}
        />
        <SidePanels {...{ data, adminContext, form, values, errors, field }} />
      </div>
    </form>
  );
}

function Notices({ data, adminContext }: Pick<EditorProps, 'data' | 'adminContext'>) {
  const autosave = data.post?.autosave;
  return (
    <>
      {data.may.save ? null : (
        <p className="notice notice-wait">
          An editor has published or scheduled this post, so you can’t edit it.
        </p>
      )}
      {data.notice ? (
        <p className="notice" role="status">
          {data.notice}
        </p>
      ) : null}
      {autosave ? (
        <p className="notice notice-wait">
          You have unsaved changes from <Time instant={autosave.at} {...adminContext} />.{' '}
          <a href={`?with=${autosave.id}`}>Restore them</a>
        </p>
      ) : null}
    </>
  );
}
