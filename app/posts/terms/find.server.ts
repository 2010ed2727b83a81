import { type Transaction, joinSql, sql } from '#app/platform/database/client.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import { freeSlug, nameKey, toSlug } from '#app/platform/text/slug.ts';
import { termPath } from '#app/posts/paths.ts';

/** Categories and tags, which differ only in their tables and in how posts refer to them. */
export type TermKind = 'category' | 'tag';

/** A term's table. Both tables have the same columns, but Prisma's types do not show it. */
export function termTable(tx: Pick<Transaction, 'category' | 'tag'>, kind: TermKind) {
  return kind === 'category' ? tx.category : (tx.tag as unknown as Transaction['category']);
}

/** The kinds and slugs of the terms with these ids, categories first. */
export async function slugsOfTerms(db: Pick<Transaction, 'category' | 'tag'>, ids: readonly string[]) {
  const find = async (kind: TermKind) => {
    const rows = await termTable(db, kind).findMany({
      where: { id: { in: [...ids] } },
      select: { slug: true },
    });
    return rows.map(({ slug }) => ({ kind, slug }));
  };
  return (await Promise.all([find('category'), find('tag')])).flat();
}

type Reader = Pick<Transaction, 'category' | 'tag' | '$queryRaw'>;

interface TermRow {
  id: string;
  slug: string;
  name: string;
}

/** A term, and the slug that it has or will have. */
interface NamedTerm {
  /** Null: it does not exist yet. */
  id: string | null;
  slug: string;
  name: string;
}

/** Databases limit the number of parameters and of conditions. */
const NAMES_A_QUERY = 200;

const select = { id: true, slug: true, name: true } as const;

/**
 * The categories or tags with these names. Case and the width of spaces do not matter, signs do: “C”, “C++” and “C#” are
 * three, although their slugs begin alike. A renamed term is also found by the name that its slug still shows.
 * @returns the terms by `nameKey`
 */
export async function findTermsByName(
  db: Reader,
  kind: TermKind,
  names: readonly string[],
): Promise<Map<string, TermRow>> {
  return (await lookUp(db, kind, names)).found;
}

/** The same with the slugs of these names that terms have. */
async function lookUp(db: Reader, kind: TermKind, names: readonly string[]) {
  const found = new Map<string, TermRow>();
  const heldSlugs = new Set<string>();
  const asked = new Map(names.map((name) => [nameKey(name), name]));
  for (const chunk of inChunks([...asked.values()], NAMES_A_QUERY)) {
    const rows = await readCandidates(db, kind, chunk);
    for (const { slug } of rows) heldSlugs.add(slug);
    for (const name of chunk) {
      const slug = toSlug(name);
      const term =
        choose(rows, name) ??
        (heldSlugs.has(slug) ? choose(await readFamilies(db, kind, [slug]), name) : undefined);
      if (term) found.set(nameKey(name), term);
    }
  }
  return { found, heldSlugs };
}

/** Terms that a change will create. */
export class PlannedTerms {
  private readonly slugs = new Set<string>();
  private readonly slugOf = new Map<string, string>();

  hasSlug(slug: string): boolean {
    return this.slugs.has(slug);
  }

  slugOfName(name: string): string | undefined {
    return this.slugOf.get(nameKey(name));
  }

  add({ name, slug }: Pick<NamedTerm, 'name' | 'slug'>): void {
    this.slugs.add(slug);
    if (!this.slugOf.has(nameKey(name))) this.slugOf.set(nameKey(name), slug);
  }
}

/**
 * The categories or tags with these names, and for each name that no term has a slug that none has either.
 * @param options.planned other terms that the change creates; the new ones are added
 * @param options.exceptId a term that is renamed: it is not found, and its slug counts as free
 * @returns the terms by `nameKey`
 */
export async function nameTerms(
  db: Reader & Pick<Transaction, 'trashItem'>,
  kind: TermKind,
  names: readonly string[],
  { planned = new PlannedTerms(), exceptId }: { planned?: PlannedTerms; exceptId?: string } = {},
): Promise<Map<string, NamedTerm>> {
  const { found, heldSlugs } = await lookUp(db, kind, names);
  const terms = new Map<string, NamedTerm>(found);
  for (const [key, { id }] of terms) if (id === exceptId) terms.delete(key);
  const missing = names.filter((name) => !terms.has(nameKey(name)));
  for (const chunk of inChunks(missing, NAMES_A_QUERY)) {
    const taken = await readTakenSlugs(db, kind, chunk, { heldSlugs, planned, exceptId });
    for (const name of chunk) {
      // One of this name in the trash becomes this term when it is restored.
      const isTaken = (slug: string) => taken.has(slug) && taken.get(slug) !== nameKey(name);
      const slug =
        planned.slugOfName(name) ??
        freeSlug(toSlug(name), (candidate) => isTaken(candidate) || planned.hasSlug(candidate));
      planned.add({ name, slug });
      terms.set(nameKey(name), { id: null, slug, name });
    }
  }
  return terms;
}

/** The slugs that new terms with these names cannot have, and those that only a term of one name can. */
async function readTakenSlugs(
  db: Reader & Pick<Transaction, 'trashItem'>,
  kind: TermKind,
  names: readonly string[],
  {
    heldSlugs,
    planned,
    exceptId,
  }: { heldSlugs: ReadonlySet<string>; planned: PlannedTerms; exceptId?: string },
): Promise<Map<string, string | null>> {
  const pathOf = termPath[kind];
  const bases = [...new Set(names.map(toSlug))];
  const inTrash = bases.flatMap((base) => [
    { path: pathOf(base) },
    { path: { startsWith: pathOf(`${base}-`) } },
  ]);
  const trashed = await db.trashItem.findMany({
    where: { kind, OR: inTrash },
    select: { path: true, title: true },
  });
  const isHeld = bases.some((base) => heldSlugs.has(base) || planned.hasSlug(base));
  const isNumbered = isHeld || bases.length < names.length || trashed.length > 0;
  const living = isNumbered ? await readFamilies(db, kind, bases) : [];
  return new Map<string, string | null>([
    ...trashed.map(({ path, title }) => [path.slice(pathOf('').length), nameKey(title)] as const),
    ...living.flatMap(({ id, slug }) => (id === exceptId ? [] : [[slug, null] as const])),
  ]);
}

/** Terms with the slug or the name of one of these names, and a few others. */
function readCandidates(db: Reader, kind: TermKind, names: readonly string[]): Promise<TermRow[]> {
  const table = kind === 'category' ? sql`categories` : sql`tags`;
  const spellings = new Set(names.flatMap(anyCase));
  return db.$queryRaw<TermRow[]>(sql`
    SELECT id, slug, name FROM ${table}
    WHERE slug IN (${joinSql(names.map(toSlug))}) OR lower(name) IN (${joinSql([...spellings])})
    ORDER BY id`);
}

/** Terms whose slugs differ by a suffix, as those of names do that differ by their signs. */
function readFamilies(db: Reader, kind: TermKind, slugs: readonly string[]): Promise<TermRow[]> {
  const where = { OR: slugs.flatMap((slug) => [{ slug }, { slug: { startsWith: `${slug}-` } }]) };
  return termTable(db, kind).findMany({ where, orderBy: { id: 'asc' }, select });
}

function choose(rows: readonly TermRow[], name: string): TermRow | undefined {
  const slug = toSlug(name);
  const named = rows.filter((row) => nameKey(row.name) === nameKey(name));
  return (
    named.find((row) => row.slug === slug) ??
    named[0] ??
    // The name is a spelling of the slug, and the term has another name now.
    (nameKey(name).replace(/[\s-]+/g, '-') === slug
      ? rows.find((row) => row.slug === slug && toSlug(row.name) !== slug)
      : undefined)
  );
}

// What `lower` makes of the usual spellings of a name: SQLite's changes only the letters of ASCII.
function anyCase(name: string): string[] {
  const key = nameKey(name);
  const capitalised = key.replace(/(?<!\p{L}\p{M}*)\p{L}/gu, (letter) => letter.toUpperCase());
  const first = key.slice(0, 1).toUpperCase() + key.slice(1);
  const spellings = [name, name.normalize('NFC'), key, key.toUpperCase(), capitalised, first];
  return spellings.flatMap((spelling) => [
    spelling.toLowerCase(),
    spelling.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ]);
}
