/** The result of an import as the command prints it (contract, section 10). In a dry run: what would be done. */
export interface ImportResult {
  source: string;
  /** Of a folder of Markdown files, the generator that it is written for; null for other sources. */
  dialect: string | null;
  /** Newly written. */
  imported: {
    posts: number;
    pages: number;
    categories: number;
    tags: number;
    media: number;
    redirects: number;
    comments: number;
  };
  /** Posts of an earlier import whose source has changed. */
  updated: number;
  unchanged: number;
  skipped: { item: string; reason: string }[];
  /** What is left out by rule: the ending of a file (`.css`), or the kind of an item → how many. */
  ignored: Record<string, number>;
  warnings: string[];
}

/** The outcome of one item: a line of the file that `--report` writes. */
export interface ItemReport {
  item: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'ignored';
  /** Of the post. */
  slug?: string;
  /** Why the item was skipped or ignored. */
  reason?: string;
  warnings: string[];
}

/** Counts what becomes of each item and collects the warnings. */
export class ImportReport {
  readonly result: ImportResult;
  /** Files that no post names. */
  private newFiles = 0;
  /** Warnings of items whose outcome is not known yet. */
  private readonly warnings = new Map<string, string[]>();
  private readonly onItem: ((report: ItemReport) => Promise<void>) | undefined;

  constructor(
    { source, dialect }: Pick<ImportResult, 'source' | 'dialect'>,
    onItem?: (report: ItemReport) => Promise<void>,
  ) {
    this.onItem = onItem;
    this.result = {
      source,
      dialect,
      imported: { posts: 0, pages: 0, categories: 0, tags: 0, media: 0, redirects: 0, comments: 0 },
      updated: 0,
      unchanged: 0,
      skipped: [],
      ignored: {},
      warnings: [],
    };
  }

  warn(item: string, message: string): void {
    this.result.warnings.push(`${item}: ${message}`);
    this.warnings.set(item, [...(this.warnings.get(item) ?? []), message]);
  }

  async written(
    item: string,
    slug: string,
    { isNew, isPage }: { isNew: boolean; isPage: boolean },
  ): Promise<void> {
    if (isNew) this.result.imported[isPage ? 'pages' : 'posts'] += 1;
    else this.result.updated += 1;
    await this.report({ item, outcome: isNew ? 'created' : 'updated', slug });
  }

  /**
   * True when more than a tenth of the items was skipped. Items that are left out by rule do not count.
   * @param accepted skipped items that do not count either
   */
  isMuchSkipped(accepted: number): boolean {
    const { skipped } = this.result;
    return skipped.length - accepted > (this.taken + skipped.length) / 10;
  }

  /** True when the source has no item that an import takes. */
  isNothingFound(): boolean {
    return this.taken + this.result.skipped.length === 0;
  }

  private get taken(): number {
    const { imported, updated, unchanged } = this.result;
    return imported.posts + imported.pages + this.newFiles + updated + unchanged;
  }

  /** Reports a file that no post names. A new one is counted among the media. */
  async file(item: string, { isNew }: { isNew: boolean }): Promise<void> {
    if (!isNew) return this.unchanged(item);
    this.newFiles += 1;
    await this.report({ item, outcome: 'created' });
  }

  async unchanged(item: string): Promise<void> {
    this.result.unchanged += 1;
    await this.report({ item, outcome: 'unchanged' });
  }

  async skipped(item: string, reason: string): Promise<void> {
    this.result.skipped.push({ item, reason });
    await this.report({ item, outcome: 'skipped', reason });
  }

  async ignored(item: string, { kind, count = 1, reason }: { kind: string; count?: number; reason: string }) {
    const { ignored } = this.result;
    ignored[kind] = (Object.hasOwn(ignored, kind) ? ignored[kind]! : 0) + count;
    await this.report({ item, outcome: 'ignored', reason });
  }

  private async report(report: Omit<ItemReport, 'warnings'>): Promise<void> {
    const warnings = this.warnings.get(report.item) ?? [];
    this.warnings.delete(report.item);
    await this.onItem?.({ ...report, warnings });
  }
}

/** The result in a line or two for people. */
export function summaryOf(result: ImportResult): string {
  const { imported, updated, unchanged, skipped, warnings } = result;
  const { count: ignoredCount, kinds } = ignoredOf(result);
  const pages =
    imported.pages === 0 ? '' : ` and ${number(imported.pages)} ${imported.pages === 1 ? 'page' : 'pages'}`;
  const parts = [
    `${number(imported.posts)}${pages} imported`,
    `${number(updated)} updated`,
    `${number(unchanged)} unchanged`,
    `${number(skipped.length)} skipped`,
    `${number(ignoredCount)} ignored${kinds === '' ? '' : ` (${kinds})`}`,
    `${number(warnings.length)} ${warnings.length === 1 ? 'warning' : 'warnings'}`,
  ];
  const from = result.dialect === null ? '' : `Read as: ${result.dialect}. `;
  return `${from}Posts: ${parts.join(', ')}.`;
}

/** How much was left out by rule, and the most frequent kinds of it in words. */
export function ignoredOf({ ignored }: Pick<ImportResult, 'ignored'>): { count: number; kinds: string } {
  const kinds = Object.entries(ignored).sort(([, a], [, b]) => b - a);
  return {
    count: kinds.reduce((sum, [, count]) => sum + count, 0),
    kinds: kinds
      .slice(0, 8)
      .map(([kind, count]) => `${number(count)} ${kind}`)
      .join(', '),
  };
}

function number(value: number): string {
  return value.toLocaleString('en');
}
