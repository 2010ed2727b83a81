import { Differences } from '#app/admin/differences/differences.tsx';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import type { FormFields } from '#app/admin/editor/model/form-fields.ts';
import { pageOf, type LocalCopy } from '#app/admin/editor/saving/local-copy.ts';
import type { Saving } from '#app/admin/editor/saving/use-session.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { nameOfText, SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { UnsavedCopyPage } from './result.ts';

interface UnsavedCopyProps {
  page: UnsavedCopyPage;
  postId: string;
  adminContext: AdminContext;
}

/** Asks which text to use before an action leaves out the editor's unsaved changes. */
export function UnsavedCopy({ page, postId, adminContext }: UnsavedCopyProps) {
  const t = useWords();
  return (
    <form method="post" className="conflict">
      <PageUserField />
      <h1>{t('You have unsaved changes in “{title}”', { title: page.title })}</h1>
      <p className="notice notice-wait" role="alert">
        {t.rich('You made them at {time}. Choose which text to use; nothing has changed yet.', {
          time: <Time instant={page.at} {...adminContext} />,
        })}
      </p>
      {Object.entries(page.values).map(([name, value]) =>
        name === 'copy' ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="row">
        <button className="primary" name="copy" value="use">
          {t('Use my unsaved changes')}
        </button>
        <button name="copy" value="drop">
          {t('Use the saved version')}
        </button>
        <a className="button quiet" href={adminUrl(adminContext.adminPath, 'posts', postId)}>
          {t('Cancel')}
        </a>
      </div>
      <h2>{t('From the saved version to your changes')}</h2>
      <Differences differences={page.differences} />
    </form>
  );
}

interface LocalCopiesProps {
  saving: Saving;
  loaded: EditorData;
  adminContext: AdminContext;
}

/** The text that was found on this device: the restored one, or the newest of those that can be restored. */
export function LocalCopies({ saving, loaded, adminContext }: LocalCopiesProps) {
  const t = useWords();
  const { restored, others, restore, discard } = saving;
  if (restored)
    return (
      <p className="notice" role="status">
        {t.rich('You wrote this text on this device, {time}.', {
          time: <Time instant={new Date(restored.at)} {...adminContext} />,
        })}
      </p>
    );
  const [newest] = others;
  if (!newest) return null;
  const { key, copy } = newest;
  return (
    <div className="notice notice-wait row">
      <span>
        {t.rich(
          copy.fields.title
            ? 'Text for “{title}” that was typed on this device, {time}, is not saved.'
            : 'Text that was typed on this device, {time}, is not saved.',
          { title: copy.fields.title, time: <Time instant={new Date(copy.at)} {...adminContext} /> },
        )}
      </span>
      {isElsewhere(copy, loaded) ? (
        <a className="button small" href={pageOf(copy, adminContext.adminPath)}>
          {t('Open in the editor')}
        </a>
      ) : (
        <button type="button" className="small" onClick={() => restore(key)}>
          {t('Restore it')}
        </button>
      )}
      <button type="button" className="small quiet" onClick={() => discard(key)}>
        {t('Discard it')}
      </button>
    </div>
  );
}

/** True for a text that is for another one of the post than the page has, such as that of a release, and can still be. */
function isElsewhere({ fields }: LocalCopy, { post, values, releases }: EditorData): boolean {
  const nameOf = ({ edit, releaseId }: FormFields) => nameOfText(post?.status, { edit, releaseId });
  const name = nameOf(fields);
  if (name === nameOf(values)) return false;
  if (name === SCHEDULED_TEXT) return Boolean(post?.change?.fields);
  return name === null || releases.open.some(({ id }) => id === name);
}
