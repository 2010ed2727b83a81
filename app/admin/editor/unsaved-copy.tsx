import { adminUrl } from '#app/admin/admin-url.ts';
import { Differences } from '#app/admin/revisions/differences.tsx';
import type { AdminContext } from '#app/admin/screen.ts';
import { Time } from '#app/ui/time.tsx';
import type { UnsavedCopyPage } from './unsaved-copy.server.ts';

/** Asks which text to take before a post changes its state past the editor's unsaved changes. */
export function UnsavedCopy({
  page,
  postId,
  adminContext,
}: {
  page: UnsavedCopyPage;
  postId: string;
  adminContext: AdminContext;
}) {
  return (
    <form method="post" className="conflict">
      <h1>You have unsaved changes of “{page.title}”</h1>
      <p className="notice notice-wait" role="alert">
        You typed them at <Time instant={page.at} {...adminContext} />. Choose which text to use; nothing has
        changed yet.
      </p>
      {Object.entries(page.values).map(([name, value]) =>
        name === 'copy' ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="row">
        <button className="primary" name="copy" value="use">
          Use my unsaved changes
        </button>
        <button name="copy" value="drop">
          Use the saved version
        </button>
        <a className="button quiet" href={adminUrl(adminContext.adminPath, 'posts', postId)}>
          Cancel
        </a>
      </div>
      <h2>From the saved version to your changes</h2>
      <Differences differences={page.differences} />
    </form>
  );
}
