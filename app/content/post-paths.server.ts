import type { Database } from '#app/platform/database.server.ts';

/** The posts and pages by their paths: those of the site, and those that a dry run plans. */
export class PostPaths {
  private readonly db: Pick<Database, 'post'>;
  private readonly planned = new Set<string>();

  constructor(db: Pick<Database, 'post'>) {
    this.db = db;
  }

  plan(path: string): void {
    this.planned.add(path);
  }

  isPlanned(path: string): boolean {
    return this.planned.has(path);
  }

  /** @returns null if the site has no post or page at this path */
  async idAt(path: string): Promise<string | null> {
    const slug = path.replace(/^\/posts\//, '');
    const row = await this.db.post.findUnique({ where: { slug }, select: { id: true } });
    return row?.id ?? null;
  }

  async isKnown(path: string): Promise<boolean> {
    return this.isPlanned(path) || (await this.idAt(path)) !== null;
  }
}
