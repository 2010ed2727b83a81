import { SaxesParser } from 'saxes';

export interface Listing {
  entries: { key: string; bytes: number }[];
  /** Continues the listing; undefined on the last page. */
  next?: string;
}

/** Reads an answer of ListObjectsV2. @throws Error when the answer is not a listing */
export function readListing(xml: string): Listing {
  const listing: Listing = { entries: [] };
  const open: string[] = [];
  let text = '';
  let entry = { key: '', bytes: 0 };
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    text = '';
    if (name === 'Contents') entry = { key: '', bytes: 0 };
  });
  parser.on('text', (part) => (text += part));
  parser.on('closetag', ({ name }) => {
    const path = open.join('/');
    if (path === 'ListBucketResult/Contents/Key') entry.key = text;
    if (path === 'ListBucketResult/Contents/Size') entry.bytes = Number(text);
    if (path === 'ListBucketResult/Contents') listing.entries.push(entry);
    if (path === 'ListBucketResult/NextContinuationToken') listing.next = text;
    if (path === name && name !== 'ListBucketResult') throw new Error('the answer is not a listing');
    open.pop();
    text = '';
  });
  parser.write(xml).close();
  return listing;
}
