import type { ExportedComment } from './post.ts';
import type { ExportedFile, ExportedSite, OutgoingPost } from './writer.ts';

/** The file for the post's comments, beside the post's own; no file without comments. An import reads it. */
export function commentFile(post: OutgoingPost, file: string): ExportedFile[] {
  return post.comments.length === 0 ? [] : [{ file, text: json(post.comments.map(withoutHtml)) }];
}

/** Descriptions of categories, tags and authors; no file without them. An import reads them. */
export function siteDataFiles({ categories, tags, authors }: ExportedSite, folder: string): ExportedFile[] {
  const described = [categories, tags].map((terms) => terms.filter(({ description }) => description !== ''));
  const people = authors
    .filter(({ bio, isNamed }) => bio !== '' || isNamed)
    .map(({ displayName: name, username, bio }) => ({ name, username, bio }));
  return [
    ...(described.some((terms) => terms.length > 0)
      ? [{ file: `${folder}terms.json`, text: json({ categories: described[0], tags: described[1] }) }]
      : []),
    ...(people.length > 0 ? [{ file: `${folder}authors.json`, text: json(people) }] : []),
  ];
}

/** A comment as an import reads it. */
export function withoutHtml({ parent, name, text, writtenAt }: ExportedComment) {
  return { parent, name, text, writtenAt };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
