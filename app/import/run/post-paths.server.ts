import type { Database } from '#app/platform/database/client.server.ts';

/** The posts and pages by their paths: those of the site, and those that a dry run plans. */
export class PostPaths {
  private readonly db: Pick<Database, 'post' | 'redirect'>;
  private readonly planned = new Set<string>();

  constructor(db: Pick<Database, 'post' | 'redirect'>) {
    this.db = db;
  }

  plan(path: string): void {
    this.planned.add(path);
  }

  isPlanned(path: string): boolean {
    return this.planned.has(path);
  }

  /**
   * The post or page at a path, also at its old one: this import may have given it another slug.
   * @returns null if the site has none
   */
  async idAt(path: string): Promise<string | null> {
    const slug = path.replace(/^\/posts\//, '');
    const row = await this.db.post.findUnique({ where: { slug }, select: { id: true } });
    if (row) return row.id;
    const type = path === slug ? 'page' : 'post';
    const redirect = await this.db.redirect.findFirst({ where: { path, post: { type } } });
    return redirect?.postId ?? null;
  }

  async isKnown(path: string): Promise<boolean> {
    return this.isPlanned(path) || (await this.idAt(path)) !== null;
  }
}
