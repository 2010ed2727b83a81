import { sha256Of } from '#app/platform/files/sha256.server.ts';

/** The parts of an item that somebody may have changed in WordPress since the export. */
interface HashedParts {
  title: string;
  content: string;
  excerpt: string;
  status: string;
  date: string;
  slug: string;
}

/** The hash of an item that Dateline exported. When it differs at an import, somebody has changed the item in WordPress. */
export function hashOfExportedItem({ title, content, excerpt, status, date, slug }: HashedParts): string {
  // As an XML parser returns them: without forbidden characters, with normalised line ends.
  const values = [title, content, excerpt, status, date, slug].map((value) =>
    value
      .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
      .replace(/\r\n?/g, '\n')
      .trim(),
  );
  return sha256Of(JSON.stringify(values));
}
