import { Differences } from '#app/admin/differences/differences.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { UnsavedCopyPage } from './result.ts';

/** Asks which text to use before an action leaves out the editor's unsaved changes. */
export function UnsavedCopy({
  page,
  postId,
  adminContext,
}: {
  page: UnsavedCopyPage;
  postId: string;
  adminContext: AdminContext;
}) {
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
