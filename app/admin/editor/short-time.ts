import type { AdminContext } from '#app/admin/screen.ts';

/** "Wed, Nov 25, 09:30", by the site's language and zone. */
export function shortTime(
  time: Date,
  { language, timeZone }: Pick<AdminContext, 'language' | 'timeZone'>,
): string {
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
