import type { Transaction } from '#app/platform/database/client.server.ts';
import { parseJson } from '#app/platform/json.ts';
import { newestFirst } from '#app/posts/fields/stored.ts';
import { readOutcome } from '#app/posts/history/outcome.ts';

/** Most revisions of a post that are read at once; each may hold 2 MB. */
const PAGE_SIZE = 10;

/** A post's revisions as JSON lines, newest first; `''` without one. Their authors are usernames. */
export async function revisionLinesOf(tx: Transaction, postId: string): Promise<string> {
  const lines: string[] = [];
  for (let skip = 0; ; skip += PAGE_SIZE) {
    const page = await tx.revision.findMany({
      where: { postId },
      orderBy: newestFirst,
      skip,
      take: PAGE_SIZE,
      include: { author: { select: { username: true } } },
    });
    for (const { createdAt, kind, postVersion, summary, outcome, author, fields } of page)
      lines.push(
        JSON.stringify({
          createdAt: createdAt.toISOString(),
          kind,
          postVersion,
          summary,
          outcome: readOutcome(outcome),
          author: author?.username ?? null,
          fields: parseJson(fields) ?? fields,
        }),
      );
    if (page.length < PAGE_SIZE) return lines.map((line) => `${line}\n`).join('');
  }
}
