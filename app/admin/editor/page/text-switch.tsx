import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { clockOf } from '#app/admin/times/short.ts';
import { SCHEDULED_TEXT, type EditedText } from '#app/posts/fields/states.ts';
import { useWords } from '#app/ui/words.ts';

/** Leads between the live text of a post and that of its scheduled update, and says which of them the page has. */
export function TextSwitch({
  data: { post, now },
  edit,
  adminContext,
}: {
  data: EditorData;
  edit: EditedText;
  adminContext: AdminContext;
}) {
  const t = useWords();
  if (!post?.change?.fields) return null;
  const url = adminUrl(adminContext.adminPath, 'posts', post.id);
  const shortTime = timeFrom(post.change.at, now, adminContext);
  const texts = [
    { name: 'live', href: url, label: t('Live') },
    {
      name: SCHEDULED_TEXT,
      href: `${url}?edit=${SCHEDULED_TEXT}`,
      label: t('Scheduled for {shortTime}', { shortTime }),
    },
  ] as const;
  return (
    <nav className="text-switch" aria-label={t('Text to edit')}>
      {texts.map(({ name, href, label }) => (
        <a
          key={name}
          href={href}
          className={`text-${name}`}
          aria-current={name === edit ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

/** The time alone if it is on the day of `now`, else with its day. */
function timeFrom(at: Date, now: Date, { language, timeZone }: AdminContext): string {
  const day = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' });
  const isToday = day.format(at) === day.format(now);
  return new Intl.DateTimeFormat(language, {
    timeZone,
    ...(!isToday && { weekday: 'short', day: 'numeric', month: 'short' }),
    ...clockOf(language),
  }).format(at);
}
