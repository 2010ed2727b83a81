import type { AdminContext } from '#app/admin/screen.ts';
import { SaveStatus } from './save-status.tsx';
import type { Saving } from './saving/use-save-session.ts';

/** Always in sight: the post's state, whether it is saved, and the buttons. The first one saves. */
export function ActionBar({ saving, adminContext }: { saving: Saving; adminContext: AdminContext }) {
  const { post, may } = saving.data;
  const status = post?.status ?? 'draft';
  return (
    <div className="editor-bar">
      <div className="editor-bar-state">
        <span className={`state state-${status}`}>{status}</span>
        <SaveStatus {...saving} adminContext={adminContext} />
      </div>
      <div className="editor-bar-buttons">
        {may.save ? (
          <button className="primary" name="intent" value="save">
            {status === 'published' ? 'Update' : 'Save'}
          </button>
        ) : null}
        <button name="intent" value="preview" formAction="#preview">
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
