import type { RefObject } from 'react';
import { useFormValues } from '#app/admin/editor/model/use-form-values.ts';
import type { PublishIntent } from '#app/admin/editor/publish-panel/fields.tsx';
import { SaveStatus } from '#app/admin/editor/saving/save-status.tsx';
import type { Saving } from '#app/admin/editor/saving/use-session.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { roughInstant } from '#app/admin/times/local.ts';
import { shortTime } from '#app/admin/times/short.ts';
import type { EditedText } from '#app/posts/fields/states.ts';
import { useWords } from '#app/ui/words.ts';
import { TextSwitch } from './text-switch.tsx';

/**
 * The bar that is always visible: the post's state, the state of saving, and the buttons. The first button saves. With
 * scripts, a button opens the publish panel, which publishes or schedules.
 */
export function ActionBar({
  saving,
  edit,
  adminContext,
  form,
  values,
  onPublish,
}: {
  saving: Saving;
  /** The text on the page. */
  edit: EditedText;
  adminContext: AdminContext;
  form: RefObject<HTMLFormElement | null>;
  values: Record<string, string>;
  /** Opens the publish panel. */
  onPublish: (intent: PublishIntent) => void;
}) {
  const t = useWords();
  const { post, may, now } = saving.data;
  const status = post?.status ?? 'draft';
  const { publishedAt, publishedAtOccurrence } = useFormValues(form, timeNames, values);
  const time = roughInstant(publishedAt, adminContext.timeZone);
  const isLater = time !== null && time > now;
  const isPublishedOrScheduled = status === 'published' || status === 'scheduled';
  // The primary button does the next step of the post.
  const primary = !may.publish || isPublishedOrScheduled ? 'save' : isLater ? 'schedule' : 'publish';
  const buttonProps = (intent: string) => ({
    name: 'intent',
    value: intent,
    className: intent === primary ? 'primary' : undefined,
  });
  const buttonFor = (intent: PublishIntent) => ({
    ...buttonProps(intent),
    className: intent === primary ? 'primary' : isPublishedOrScheduled ? undefined : 'without-scripts',
    onClick: (event: { preventDefault: () => void }) => {
      event.preventDefault();
      onPublish(intent);
    },
  });
  return (
    <div className="editor-bar">
      <div className="editor-bar-state">
        {post?.change?.fields ? null : <span className={`state state-${status}`}>{t(status)}</span>}
        <TextSwitch data={saving.data} edit={edit} adminContext={adminContext} />
        <SaveStatus {...saving} edit={edit} adminContext={adminContext} />
      </div>
      <div className="editor-bar-buttons">
        {may.save ? (
          <button {...buttonProps('save')}>
            {status === 'published' && edit === 'live' ? t('Update') : t('Save')}
          </button>
        ) : null}
        <button name="intent" value="preview">
          {t('Preview')}
        </button>
        {may.publish && !isPublishedOrScheduled ? (
          <button {...buttonFor('schedule')}>
            {isLater
              ? t('Schedule for {shortTime}', {
                  shortTime: shortTime(publishedAt, adminContext, publishedAtOccurrence),
                })
              : t('Schedule')}
          </button>
        ) : null}
        {may.publish && status !== 'published' ? (
          <button {...buttonFor('publish')}>{primary === 'publish' ? t('Publish') : t('Publish now')}</button>
        ) : null}
      </div>
    </div>
  );
}

const timeNames = ['publishedAt', 'publishedAtOccurrence'] as const;
