const MAX_BYTES = 180;
// Names that Windows reserves for devices.
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * A post's file name without its ending: its slug, changed if a file system could not store it or an import would
 * misread it. Slugs have no `_`, so no two slugs get one name.
 * @param digest of the slug, for slugs that are too long
 */
export function fileNameOf(slug: string, { isDated }: { isDated: boolean }, digest: string): string {
  const name = byteLength(slug) > MAX_BYTES ? `${beginning(slug)}_${digest}` : slug;
  if (reserved.test(name)) return `${name}_`;
  // An import would take a date at the start of the name for the post's date.
  return !isDated && /^\d{4}-\d{2}-\d{2}/.test(name) ? `_${name}` : name;
}

function beginning(slug: string): string {
  let shortened = '';
  let bytes = 0;
  for (const character of slug) {
    bytes += byteLength(character);
    if (bytes > MAX_BYTES - 40) break;
    shortened += character;
  }
  return shortened;
}

function byteLength(value: string): number {
  return new TextEncoder().encode(value).length;
}
