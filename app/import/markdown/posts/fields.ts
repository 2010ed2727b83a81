import { isTable } from '#app/export/front-matter.ts';
import type { DialectName } from '#app/import/markdown/dialects/dialects.ts';
import { readSourceDate } from '#app/import/model/date.ts';
import type { SourceTerm } from '#app/import/model/post.ts';
import { isOneOf } from '#app/platform/narrow.ts';
import { nameKey, toSlug } from '#app/platform/text/slug.ts';
import { postStatuses, type PostStatus } from '#app/posts/fields/states.ts';

/** States by their names in WordPress, which its exporters for generators write. */
const wordpressStatuses: Partial<Record<string, PostStatus>> = { publish: 'published', future: 'scheduled' };

const TRUE = /^(?:true|yes|on|y|t|1)$/i;
const FALSE = /^(?:false|no|off|n|f|0)$/i;

/**
 * The values of a front matter. A value that has the wrong type or format is left out with a warning: no property but the
 * text is worth a post. Methods that take several names read the first one that has a value.
 */
export class Fields {
  private readonly data: Record<string, unknown>;
  private readonly warnings: string[];

  /** @param warnings gets a message for each value that is left out */
  constructor(data: Record<string, unknown>, warnings: string[] = []) {
    this.data = data;
    this.warnings = warnings;
  }

  /** Trimmed; null without a value. A date is returned as ISO 8601, and of a list the first item. */
  text(...names: string[]): string | null {
    return this.firstOf(names, ([first]) => first ?? null);
  }

  /** Like `text`, with all items of a list. */
  sentence(...names: string[]): string | null {
    return this.firstOf(names, (texts) => texts.join(', '));
  }

  private firstOf(names: string[], read: (texts: string[]) => string | null): string | null {
    for (const name of names) {
      const value = this.value(name);
      if (value === null || value === '' || value === false) continue;
      const texts = typeof value === 'boolean' ? [] : textsIn(value);
      if (texts.length > 0) return read(texts);
      if (isUnusable(value)) this.leaveOut(name, 'a text');
    }
    return null;
  }

  /** The address of a picture: a text, the first item of a list, or a table with the address under one of the usual names. */
  picture(...names: string[]): { address: string; alt: string } | null {
    for (const name of names) {
      const value = this.value(name);
      const first: unknown = Array.isArray(value) ? leavesOf(value)[0] : value;
      if (isTable(first)) {
        const table = new Fields(first, this.warnings);
        const address = table.text('image', 'src', 'url', 'path', 'feature', 'teaser', 'publicURL');
        if (address !== null) return { address, alt: table.sentence('alt') ?? '' };
      } else if (typeof first === 'string' && first.trim() !== '') return { address: first.trim(), alt: '' };
      // Themes use the same names for settings, which are tables or say yes or no.
      if (typeof first === 'number') this.leaveOut(name, 'the address of a picture');
    }
    return null;
  }

  /** The items of a list; a text is one name, even with commas: `Felix Klock, Wesley Wiser`. Empty without a value. */
  names(...names: string[]): string[] {
    for (const name of names) {
      const value = this.value(name);
      if (value !== null && typeof value !== 'boolean') return this.listOf(name, value);
    }
    return [];
  }

  /** The items of a list, or of a text with commas between them. Empty without a value. */
  list(...names: string[]): string[] {
    for (const name of names) {
      const value = this.value(name);
      if (value === null || typeof value === 'boolean') continue;
      return this.listOf(name, typeof value === 'string' ? value.split(',') : value);
    }
    return [];
  }

  private listOf(name: string, value: unknown): string[] {
    const items = Array.isArray(value) ? (value as unknown[]) : [value];
    return items.flatMap((item) => {
      const texts = textsIn(item);
      if (texts.length === 0 && isUnusable(item)) this.leaveOut(name, 'a list of texts');
      return texts;
    });
  }

  /** A table inside the front matter; empty without one. */
  table(name: string): Fields {
    const value = this.value(name);
    return new Fields(isTable(value) ? value : {}, this.warnings);
  }

  /** True when the front matter names all of these. */
  has(...names: string[]): boolean {
    return names.every((name) => Object.hasOwn(this.data, name));
  }

  /** Zola: the items of `taxonomies.<name>`. */
  taxonomy(name: string): string[] {
    return this.table('taxonomies').list(name);
  }

  /** @param timeZone IANA name of the zone of a date that names none */
  date(timeZone: string, ...names: string[]): Date | null {
    const { date, unreadable, name } = this.readDate(timeZone, names);
    if (unreadable !== null) this.leaveOut(name, 'a date such as 2026-11-20 or 2026-11-20T08:00:00Z');
    return date;
  }

  /** The first date; `unreadable` is a text that is not one. */
  readDate(timeZone: string, names: string[]) {
    for (const name of names) {
      const value = this.value(name);
      const [first]: unknown[] = Array.isArray(value) ? leavesOf(value) : [value];
      if (first === null || first === undefined || first === '' || this.flag(name) !== null) continue;
      const date = readSourceDate(first, timeZone);
      return { date, unreadable: date ? null : (textsIn(first)[0] ?? ''), name };
    }
    return { date: null, unreadable: null, name: '' };
  }

  /** An address; null for a template such as `/:year/`, and without a value. */
  permalink(name: string): string | null {
    const value = this.text(name);
    return value === null || /[{:]/.test(value.replace(/^https?:/, '')) ? null : value;
  }

  equals(name: string, expected: string | boolean): boolean {
    return (typeof expected === 'boolean' ? this.flag(name) : this.value(name)) === expected;
  }

  /** True for a text that matches, without the spaces around it. */
  matches(name: string, pattern: RegExp): boolean {
    const value = this.value(name);
    return typeof value === 'string' && pattern.test(value.trim());
  }

  isList(name: string): boolean {
    return Array.isArray(this.value(name));
  }

  /** The state that the front matter names, if there is such a state. */
  status(): PostStatus | null {
    const [written, ...others] = this.texts('status');
    if (written === undefined || others.length > 0 || typeof this.value('status') === 'object') return null;
    const status = wordpressStatuses[written.toLowerCase()] ?? written.toLowerCase();
    return isOneOf(postStatuses, status) ? status : null;
  }

  /** Every text in a value, also in the lists and tables of it. */
  texts(name: string): string[] {
    const value = this.value(name);
    return isTable(value) ? Object.values(value).flatMap(textsIn) : textsIn(value);
  }

  /** True or false, also from a text: Hugo takes `"true"`, and in YAML 1.1 `yes` and `off` are no texts. Else null. */
  flag(name: string): boolean | null {
    const value = this.value(name);
    if (typeof value === 'boolean') return value;
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') return null;
    if (TRUE.test(text.trim())) return true;
    return FALSE.test(text.trim()) ? false : null;
  }

  /** False without a value. */
  isSet(name: string): boolean {
    const value = this.value(name);
    return value !== null && value !== '';
  }

  /** Warns that a value was left out. */
  leaveOut(name: string, expected: string): void {
    const warning = `The front matter's “${name}” is not ${expected}: it was left out.`;
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }

  private value(name: string): unknown {
    return Object.hasOwn(this.data, name) ? (this.data[name] ?? null) : null;
  }
}

/** The items of a list and of the lists in it. Without recursion: a hostile file has thousands, one in the other. */
function leavesOf(list: unknown[]): unknown[] {
  const leaves: unknown[] = [];
  const open = [list[Symbol.iterator]()];
  while (open.length > 0) {
    const { value, done } = open.at(-1)!.next();
    if (done) open.pop();
    else if (Array.isArray(value)) open.push(value[Symbol.iterator]());
    else leaves.push(value);
  }
  return leaves;
}

/** The texts of a value, without blank ones: a text, a number or a date; the name in a table; all of a list. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return leavesOf(value).flatMap(textsIn);
  const single = isTable(value) ? value.name : value;
  if (single instanceof Date) return [single.toISOString()];
  if (typeof single !== 'string' && typeof single !== 'number' && typeof single !== 'boolean') return [];
  const text = String(single).trim();
  return text === '' ? [] : [text];
}

function isUnusable(value: unknown): boolean {
  return value === true || (isTable(value) && Object.keys(value).length > 0);
}

/** The names of a post's categories, each once. One that makes no address is left out. */
export function categoriesOf(fields: Fields, dialect: DialectName, warnings: string[]): string[] {
  // One category is one name, also in Jekyll. A list is what `categories` is.
  const single = fields.names('category');
  const listed = () => {
    const own = fields.list('categories');
    return own.length > 0 ? own : fields.taxonomy('categories');
  };
  const names = single.length === 0 ? wordsOf(listed(), fields, 'categories', dialect) : single;
  const slug = toSlug(fields.text('category_slug') ?? '');
  return [...new Set(names)].filter((name, index) => {
    const isUsable = toSlug(name) !== '' || (index === 0 && slug !== '');
    if (!isUsable) warnings.push(`The category “${name}” has no letter or digit and was left out.`);
    return isUsable;
  });
}

/** Tags that only put a post into a list of Eleventy. Its starter blog hides them from readers, too. */
const collectionTag = /^(?:posts?|all|nav|_.*)$/;

/** A post's tags. Further categories become tags. A name that differs by case alone counts once. */
export function tagsOf(
  fields: Fields,
  further: string[],
  dialect: DialectName,
  warnings: string[],
): SourceTerm[] {
  const byIdentity = new Map<string, SourceTerm>();
  const tags = wordsOf(
    fields.list('tags', 'tag'),
    fields,
    fields.has('tags') ? 'tags' : 'tag',
    dialect,
  ).filter((name) => dialect !== 'eleventy' || !collectionTag.test(name));
  const names = [...tags, ...fields.taxonomy('tags'), ...further];
  const slugs = fields.list('tag_slugs');
  for (const [index, name] of names.entries()) {
    const slug = toSlug(slugs.length === names.length ? slugs[index]! : '');
    const identity = slug === '' ? `name ${nameKey(name)}` : `slug ${slug}`;
    if (slug === '' && toSlug(name) === '')
      warnings.push(`The tag “${name}” has no letter or digit and was left out.`);
    else if (!byIdentity.has(identity)) byIdentity.set(identity, { name, slug });
  }
  return [...byIdentity.values()];
}

// A text that is not a list: Jekyll separates its names by spaces, other generators by commas.
function wordsOf(names: string[], fields: Fields, name: string, dialect: DialectName): string[] {
  return dialect === 'jekyll' && !fields.isList(name) ? names.flatMap((text) => text.split(/\s+/)) : names;
}
