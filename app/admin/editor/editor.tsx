import { useRef } from 'react';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { ActionResult, AdminContext } from '#app/admin/screen.ts';
import { Time } from '#app/ui/time.tsx';
import { ActionBar } from './action-bar.tsx';
import { Conflict } from './conflict.tsx';
import type { EditorResult } from './edit.server.ts';
import type { EditorData } from './editor-data.server.ts';
import { SidePanels } from './side-panels.tsx';
import { TextPanel } from './text-panel.tsx';

interface EditorProps {
  data: EditorData;
  result: ActionResult<EditorResult> | undefined;
  adminContext: AdminContext;
}

// Errors of what has no field on the page stand in the notice.
const unseen = ['version', 'intent', 'postId'];

/** The post form. The first button saves, so Enter saves; without JavaScript nothing is missing. */
export default function Editor(props: EditorProps) {
  const conflict = props.result?.conflict;
  return conflict && props.data.post ? (
    <Conflict conflict={conflict} data={props.data} adminContext={props.adminContext} />
  ) : (
    <PostForm {...props} />
  );
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
    <form method="post" className="editor" ref={form}>
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
      {post ? null : <input type="hidden" name="postId" value={data.postId} />}
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
          This post has left your hands: an editor has published or scheduled it. Ask one to change it.
        </p>
      )}
      {data.notice ? (
        <p className="notice" role="status">
          {data.notice}
        </p>
      ) : null}
      {autosave ? (
        <p className="notice notice-wait">
          You had typed more, <Time instant={autosave.at} {...adminContext} />, without saving it.{' '}
          <a href={`?with=${autosave.id}`}>Go on with that text</a>
        </p>
      ) : null}
    </>
  );
}
