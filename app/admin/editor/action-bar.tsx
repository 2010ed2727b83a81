import type { RefObject } from 'react';
import type { AdminContext } from '#app/admin/screen.ts';
import { SaveStatus } from './save-status.tsx';
import type { Saving } from './saving/use-save-session.ts';
import { useFormValues } from './use-form-values.ts';
import { roughInstant } from './zoned.ts';

/** Always in sight: the post's state, whether it is saved, and the buttons. The first one saves. */
export function ActionBar({
  saving,
  adminContext,
  form,
  values,
}: {
  saving: Saving;
  adminContext: AdminContext;
  form: RefObject<HTMLFormElement | null>;
  values: Record<string, string>;
}) {
  const { post, may, now } = saving.data;
  const status = post?.status ?? 'draft';
  const { publishedAt } = useFormValues(form, timeNames, values);
  const time = roughInstant(publishedAt, adminContext.timeZone);
  const isLater = time !== null && time > now;
  const isOut = status === 'published' || status === 'scheduled';
  // One button stands out: what the post waits for.
  const primary = !may.publish || isOut ? 'save' : isLater ? 'schedule' : 'publish';
  const look = (intent: string) => ({
    name: 'intent',
    value: intent,
    className: intent === primary ? 'primary' : undefined,
  });
  return (
    <div className="editor-bar">
      <div className="editor-bar-state">
        <span className={`state state-${status}`}>{status}</span>
        <SaveStatus {...saving} adminContext={adminContext} />
      </div>
      <div className="editor-bar-buttons">
        {may.save ? <button {...look('save')}>{status === 'published' ? 'Update' : 'Save'}</button> : null}
        <button name="intent" value="preview">
          Preview
        </button>
        {may.publish && !isOut ? (
          <button {...look('schedule')}>
            {isLater ? `Schedule for ${shortTime(time, adminContext)}` : 'Schedule'}
          </button>
        ) : null}
        {may.publish && status !== 'published' ? (
          <button {...look('publish')}>{primary === 'publish' ? 'Publish' : 'Publish now'}</button>
        ) : null}
      </div>
    </div>
  );
}

const timeNames = ['publishedAt'] as const;

/** "Wed, Nov 25, 09:30", by the site's language and zone. */
function shortTime(time: Date, { language, timeZone }: AdminContext): string {
  return new Intl.DateTimeFormat(language, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(time);
}
