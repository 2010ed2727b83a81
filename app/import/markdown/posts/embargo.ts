import type { DialectName } from '#app/import/markdown/dialects/dialects.ts';
import { readSourceDate } from '#app/import/model/date.ts';
import type { PostStatus } from '#app/posts/fields/states.ts';

interface State {
  status: PostStatus;
  publishedAt: Date | null;
}

/** Names of the time before which nobody may read a post, whatever its date is; in lower case, without `_` and `-`. */
const releaseNames = new Set([
  ...[
    'publishdate',
    'pubdate',
    'published',
    'publishedat',
    'publishat',
    'publishon',
    'publishtime',
    'publishfrom',
  ],
  ...[
    'scheduled',
    'scheduledat',
    'scheduledfor',
    'scheduledate',
    'releasedate',
    'releaseat',
    'golive',
    'golivedate',
  ],
  ...['embargo', 'embargodate', 'embargoed', 'embargoeduntil', 'embargountil'],
]);

/**
 * The state of a post whose front matter has a time of publication besides its date. It is scheduled for the last such
 * time that is in the future, and a draft if one cannot be read.
 * @param values the front matter
 */
export function underEmbargo(
  state: State,
  values: Readonly<Record<string, unknown>>,
  { timeZone, now, dialect }: { timeZone: string; now: Date; dialect: DialectName },
  warnings: string[],
): State {
  if (state.status !== 'published' && state.status !== 'scheduled') return state;
  let release: Date | null = null;
  let named = '';
  for (const [name, value] of Object.entries(values)) {
    if (!releaseNames.has(name.toLowerCase().replace(/[_-]/g, '')) || saysNoTime(value)) continue;
    const time = readSourceDate(value, timeZone);
    if (time === null) {
      warnings.push(`The front matter’s “${name}” is no date that can be read: the post becomes a draft.`);
      return { status: 'draft', publishedAt: state.publishedAt };
    }
    if (release === null || time > release) [release, named] = [time, name];
  }
  if (release === null) return state;
  const isLater = state.publishedAt === null || release > state.publishedAt;
  if (release > now && isLater) {
    warnings.push(`“${named}” is in the future: the post is scheduled for it.`);
    return { status: 'scheduled', publishedAt: release };
  }
  // Hugo shows a post from that time on, also before its date.
  const isShown = dialect === 'hugo' && release <= now && state.status === 'scheduled';
  return isShown ? { status: 'published', publishedAt: release } : state;
}

/** True for no value, and for a yes or no: `published: true`. */
function saysNoTime(value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return true;
  return typeof value === 'string' && /^\s*(?:true|false|yes|no|on|off)?\s*$/i.test(value);
}
