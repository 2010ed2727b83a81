import type { DialectName } from '#app/import/markdown/dialects/dialects.ts';
import { readSourceDate, type PostState } from '#app/import/model/date.ts';
import { postStatuses, type PostStatus } from '#app/posts/fields/states.ts';
import { shorten } from '#app/posts/markdown/excerpt.ts';
import type { Fields } from './fields.ts';

// What people call a post that is not public, in the languages of the backend.
const words = [
  ...['drafts?', 'drafting', 'private', 'wip', 'hidden', 'unlisted', 'unpublished', 'unreleased', 'pending'],
  ...['internal', 'secret', 'confidential', 'embargo(?:ed)?', 'protected', 'restricted', 'members?', 'paid'],
  ...['trash(?:ed)?', 'deleted', 'removed', 'retracted', 'withdrawn', 'unfinished', 'incomplete', 'offline'],
  ...['progress', '(?:in|to|needs?|under|for) review', 'todo', 'to do', 'on hold'],
  ...[
    '(?:not|never|do not|don t|to be) publish(?:ed)?',
    'not (?:yet|public|ready|done|finished|listed|released)',
  ],
  ...['entwurf', 'entwürfe', 'privat', 'versteckt', 'verborgen', 'geheim', 'unveröffentlicht', 'intern'],
  ...['(?:in|noch in) (?:arbeit|bearbeitung|prüfung)', 'nicht (?:öffentlich|veröffentlicht|fertig)'],
  ...['brouillon', 'privée?', 'cachée?', 'masquée?', 'en cours', 'en attente', 'non (?:publié|répertorié)e?'],
  ...['borrador', 'privad[oa]', 'ocult[oa]', 'pendiente', 'en (?:progreso|curso|revisión)', 'sin publicar'],
  ...['rascunho', 'pendente', 'em (?:andamento|progresso|revisão)', 'não (?:publicado|listado)'],
  ...['bozza', 'privat[oa]', 'nascost[oa]', 'in (?:corso|attesa|revisione)', 'non pubblicat[oa]'],
  ...['concept', 'privé', 'in behandeling', 'niet gepubliceerd', 'utkast', 'kladde', 'luonnos'],
  ...['szkic', 'robocz[ya]', 'prywatn[ya]', 'ukryt[ya]', 'nieopublikowan[ya]', 'taslak', 'gizli', 'özel'],
  ...['черновик', 'скрыт[оаы]?', 'скрытый', 'приватн\\p{L}*', 'в работе', 'не опубликован\\p{L}*'],
  ...['чернетка', 'مسودة', 'خاص', 'مخفي', 'טיוטה', 'פרטי', 'ड्राफ़्ट', 'प्रारूप', 'निजी'],
];
/** Scripts that write no spaces between words. */
const unspaced = [
  ...['下書き', '草稿', '非公開', '未公開', '限定公開', '作成中', '執筆中', '私密', '私有', '隐藏', '隱藏'],
  ...['未发布', '未發布', '未发表', '未發表', '不公开', '不公開', '待审', '待審', '초안', '비공개', '임시'],
];
const hidden = new RegExp(
  String.raw`^review(?:ing)?$|(?<![\p{L}\p{N}\p{M}])(?:${words.join('|')})(?![\p{L}\p{N}\p{M}])|${unspaced.join('|')}`,
  'u',
);

/** True for the name of a state, as people write it, that clearly does not mean public: `WIP`, `[[Draft]]`, `in progress`. */
function meansHidden(state: string): boolean {
  return hidden.test(
    state
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' '),
  );
}

const dateNames = [
  ...['date', 'publishedAt', 'published_at', 'publishDate', 'pubDate', 'published', 'created', 'createdAt'],
];
const updatedNames = ['updated', 'lastmod', 'last_modified_at', 'updatedDate', 'updatedAt', 'modified'];

/** The values with which Eleventy asks for the time of the file. */
const fileTime = /(?:git )?(?:created|last modified)/i;

/** False for a text whose front matter cannot ask for the time of the file. */
export function isFileTimeIn(text: string): boolean {
  return fileTime.test(text);
}

/**
 * When a post is or was published: its front matter's date, or the day of its name.
 * @param file.changedAt when the file was last changed, for Eleventy's words
 */
export function dateOf(
  fields: Fields,
  file: { dayOfName: string | null; changedAt: Date | undefined; timeZone: string },
  warnings: string[],
): Date | null {
  if (fields.matches('date', new RegExp(`^${fileTime.source}$`, 'i'))) return file.changedAt ?? null;
  const fallback = file.dayOfName === null ? null : readSourceDate(file.dayOfName, file.timeZone);
  if (fallback === null) return fields.date(file.timeZone, ...dateNames);
  const { date, unreadable } = fields.readDate(file.timeZone, dateNames);
  if (unreadable !== null)
    warnings.push(`The date “${unreadable}” cannot be read: the one of the file’s name counts.`);
  return date ?? fallback;
}

/** When a post was last changed; null if its front matter has no such date, or one that cannot be read. */
export function updatedOf(fields: Fields, timeZone: string): Date | null {
  return fields.date(timeZone, ...updatedNames) ?? fields.table('last_update').date(timeZone, 'date');
}

interface Dated {
  /** Below the folder, with `/`. */
  path: string;
  date: Date | null;
  archiveAt: Date | null;
  isPage: boolean;
  isOwnExport: boolean;
  /** Names whose value is uncertain: it cannot be read, or the front matter has several. */
  uncertain: readonly string[];
  now: Date;
}

/** The state of a post, and its time. A post that the old site did not show to everybody becomes a draft. */
export function stateOf(
  fields: Fields,
  { path, date, archiveAt, isPage, isOwnExport, uncertain, now }: Dated,
  warnings: string[],
): PostState {
  const written = writtenState(fields, warnings);
  const unclear = uncertain.find((name) => stateNames.has(name));
  const unclearReason = unclear === undefined ? null : `The front matter's “${unclear}” is not clear`;
  const hidden =
    written === 'draft'
      ? null
      : (unclearReason ?? reasonOfState(fields) ?? (isOwnExport ? null : reasonOfHidden(fields)));
  if (hidden !== null) warnings.push(`${hidden}: the post becomes a draft, it would be public.`);
  const requested = hidden !== null || (written === null && isDraftFolder.test(path)) ? 'draft' : written;
  if (date === null) {
    if (isPage && (requested ?? 'published') === 'published')
      return { status: 'published', publishedAt: now };
    // What was archived here may never have been published.
    if (requested === 'archived' && isOwnExport) return { status: requested, publishedAt: null };
    if (requested !== 'draft') warnings.push('No date: the post becomes a draft.');
    return { status: 'draft', publishedAt: null };
  }
  if (requested === 'published' && date > now) {
    warnings.push('Published, but its date is in the future: the post is scheduled.');
    return { status: 'scheduled', publishedAt: date };
  }
  const status = requested ?? (date <= now ? 'published' : 'scheduled');
  const isExpired = status === 'published' && !isOwnExport && archiveAt !== null && archiveAt <= now;
  return { status: isExpired ? 'archived' : status, publishedAt: date };
}

const hiddenIfTrue = 'unlisted hidden hide encrypted headless unpublished wip isDraft is_draft'.split(' ');
const hiddenIfFalse = ['publish', 'public', 'listed', 'dg-publish', 'render', 'permalink'];

/** Drafts of Jekyll and Hexo, which never publish this folder. */
const isDraftFolder = /(^|\/)_drafts\//;

/** The state in the front matter; null without one, or if it is no state that exists here. */
function writtenState(fields: Fields, warnings: string[]): PostStatus | null {
  const status = fields.status();
  if (status !== null) return status;
  const texts = fields.texts('status');
  if (texts.length > 0 && !texts.some(meansHidden)) {
    fields.leaveOut('status', `one of ${postStatuses.join(', ')}`);
  }
  if (fields.flag('draft') === true || fields.flag('published') === false) return 'draft';
  if (!fields.isSet('draft') || fields.flag('draft') === false) return null;
  warnings.push("The front matter's “draft” is neither true nor false: the post becomes a draft.");
  return 'draft';
}

/** Why a state that does not exist here must not make a post public; null if nothing says so. */
function reasonOfState(fields: Fields): string | null {
  for (const name of ['status', 'published', 'visibility']) {
    const word = fields.texts(name).find(meansHidden);
    if (word !== undefined) return `The front matter's “${name}” says “${shorten(word, 100)}”`;
  }
  return null;
}

/** Names whose value decides whether a post is public. */
const stateNames: ReadonlySet<string> = new Set([
  ...['status', 'draft', 'published', 'visibility', 'password', 'private', ...hiddenIfTrue, ...hiddenIfFalse],
  ...['build', '_build'],
]);

/** Why the old site did not show a post to everybody; null for a public post. */
function reasonOfHidden(fields: Fields): string | null {
  if (fields.isSet('password') && fields.flag('password') !== false) return 'It has a password';
  if (fields.isSet('private') && fields.flag('private') !== false) return 'It is “private”';
  for (const name of hiddenIfTrue) if (fields.equals(name, true)) return `It is “${name}”`;
  for (const name of hiddenIfFalse) if (fields.equals(name, false)) return `It says “${name}: false”`;
  if (fields.equals('eleventyExcludeFromCollections', true)) return 'It is “eleventyExcludeFromCollections”';
  const build = [fields.table('build'), fields.table('_build')];
  const isLeftOut = build.some((table) => table.equals('render', 'never') || table.equals('render', false));
  if (isLeftOut) return 'The generator was told not to build it';
  const isUnlisted = build.some((table) => table.equals('list', 'never') || table.equals('list', false));
  return isUnlisted ? 'The generator was told not to list it' : null;
}

/** Names of the time before which nobody may read a post, whatever its date is; in lower case, without `_` and `-`. */
const releaseNames = new Set([
  ...'publishdate pubdate published publishedat publishat publishon publishtime publishfrom'.split(' '),
  ...'scheduled scheduledat scheduledfor scheduledate releasedate releaseat golive golivedate'.split(' '),
  ...'embargo embargodate embargoed embargoeduntil embargountil'.split(' '),
]);

/**
 * The state of a post whose front matter has a time of publication besides its date. It is scheduled for the last such
 * time that is in the future, and a draft if one cannot be read.
 * @param values the front matter
 */
export function underEmbargo(
  state: PostState,
  values: Readonly<Record<string, unknown>>,
  { timeZone, now, dialect }: { timeZone: string; now: Date; dialect: DialectName },
  warnings: string[],
): PostState {
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
