import { AppError, isAppError } from '#app/platform/errors.ts';
import { postStatuses, type PostStatus } from '#app/posts/states.ts';
import { readSourceDate } from '../source-date.ts';

/** States by their names in WordPress, which its exporters for generators write. */
const wordpressStatuses: Partial<Record<string, PostStatus>> = {
  publish: 'published',
  future: 'scheduled',
  pending: 'draft',
  private: 'draft',
};

/**
 * The values of a front matter. Methods that read a value throw AppError `invalid_input`, with the reason, when the value
 * has the wrong type or format. Those that take several names read the first one that has a value.
 */
export class Fields {
  private readonly data: Record<string, unknown>;

  constructor(data: Record<string, unknown>) {
    this.data = data;
  }

  /** Trimmed; null without a value. A date is returned as ISO 8601. */
  text(...names: string[]): string | null {
    for (const name of names) {
      const value = this.value(name);
      if (value === null || value === '' || value === false) continue;
      if (value instanceof Date) return value.toISOString();
      if (typeof value !== 'string' && typeof value !== 'number') throw wrong(name, 'a text');
      if (String(value).trim() !== '') return String(value).trim();
    }
    return null;
  }

  /** The address of a picture: a text, the first item of a list, or a table with the address under one of the usual names. */
  picture(...names: string[]): { address: string; alt: string } | null {
    for (const name of names) {
      const value = this.value(name);
      const first: unknown = Array.isArray(value) ? value[0] : value;
      if (isTable(first)) {
        const table = new Fields(first);
        const address = table.text('image', 'src', 'url', 'path', 'feature', 'teaser', 'publicURL');
        if (address !== null) return { address, alt: table.text('alt') ?? '' };
      } else if (typeof first === 'string' && first.trim() !== '') return { address: first.trim(), alt: '' };
    }
    return null;
  }

  /** The items of a list; a text is one name, even with commas: `Felix Klock, Wesley Wiser`. Empty without a value. */
  names(...names: string[]): string[] {
    for (const name of names) {
      const value = this.value(name);
      if (value !== null) return listOf(name, Array.isArray(value) ? value : [value]);
    }
    return [];
  }

  /** The items of a list, or of a text with commas between them. Empty without a value. */
  list(...names: string[]): string[] {
    for (const name of names) {
      const value = this.value(name);
      if (value === null) continue;
      return listOf(name, value);
    }
    return [];
  }

  /** A table inside the front matter; empty without one. */
  table(name: string): Fields {
    const value = this.value(name);
    return new Fields(isTable(value) ? value : {});
  }

  categories(): string[] {
    const categories = this.list('categories');
    return categories.length > 0 ? categories : this.taxonomy('categories');
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
    for (const name of names) {
      const value = this.value(name);
      if (value === null || value === '' || typeof value === 'boolean') continue;
      const date = readSourceDate(value, timeZone);
      if (!date) throw wrong(name, 'a date such as 2026-11-20 or 2026-11-20T08:00:00Z');
      return date;
    }
    return null;
  }

  /** The first date, or `fallback`. With a fallback, a text that is not a date does not throw: `unreadable` is that text. */
  dateOr(
    fallback: Date | null,
    timeZone: string,
    ...names: string[]
  ): { date: Date | null; unreadable: string | null } {
    if (fallback === null) return { date: this.date(timeZone, ...names), unreadable: null };
    try {
      return { date: this.date(timeZone, ...names) ?? fallback, unreadable: null };
    } catch (error) {
      if (!isAppError(error)) throw error;
      const written = names.map((name) => this.value(name)).find((value) => value !== null && value !== '');
      return { date: fallback, unreadable: String(written) };
    }
  }

  /** An address; null for a template such as `/:year/`, and for a value that is not a text. */
  permalink(name: string): string | null {
    const value = this.value(name);
    return typeof value === 'string' && value.trim() !== '' && !/[{:]/.test(value.replace(/^https?:/, ''))
      ? value.trim()
      : null;
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

  status(): PostStatus | null {
    const status = this.text('status')?.toLowerCase() ?? null;
    const written = status === null ? null : (wordpressStatuses[status] ?? status);
    if (written !== null && !(postStatuses as readonly string[]).includes(written))
      throw wrong('status', `one of ${postStatuses.join(', ')}`);
    if (written !== null) return written as PostStatus;
    return this.equals('draft', true) || this.equals('published', false) ? 'draft' : null;
  }

  /** Also from a text: Hugo takes `"true"`, and Jekyll reads YAML 1.1, where `yes` and `off` are no texts. */
  private flag(name: string): boolean | null {
    const value = this.value(name);
    if (typeof value === 'boolean') return value;
    if (this.matches(name, /^(?:true|yes|on)$/i)) return true;
    return this.matches(name, /^(?:false|no|off)$/i) ? false : null;
  }

  private value(name: string): unknown {
    return Object.hasOwn(this.data, name) ? (this.data[name] ?? null) : null;
  }
}

function listOf(name: string, value: unknown): string[] {
  const parts = Array.isArray(value)
    ? name === 'categories'
      ? (value as unknown[]).flat()
      : (value as unknown[])
    : typeof value === 'string'
      ? value.split(',')
      : [value];
  return parts
    .filter((part) => part !== null && part !== undefined)
    .map((part) => (hasName(part) ? part.name : part))
    .map((part) => {
      if (part instanceof Date) return part.toISOString();
      if (typeof part !== 'string' && typeof part !== 'number') throw wrong(name, 'a list of texts');
      return String(part).trim();
    })
    .filter((part) => part !== '');
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function hasName(value: unknown): value is { name: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'name');
}

function wrong(name: string, expected: string): AppError {
  return new AppError('invalid_input', `The front matter's “${name}” is not ${expected}.`);
}
