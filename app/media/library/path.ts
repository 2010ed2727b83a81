const MAX_PATH_BYTES = 1_024;
const MAX_SEGMENT_BYTES = 255;

// Names that Windows reserves for devices, with any ending.
const reservedName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

// Separators and streams of other systems, and control characters.

const foreignCharacter = /[\\:\u0000-\u001f\u007f]/;

/**
 * True for a relative path with `/` between its segments that names the same file below the uploads
 * folder on every system: no `..`, nothing absolute, no hidden, reserved or overlong name.
 */
export function isMediaPath(path: string): boolean {
  return path.isWellFormed() && byteLength(path) <= MAX_PATH_BYTES && path.split('/').every(isSegment);
}

/**
 * The address of an upload as this site serves it: `/uploads/…` without query and fragment; null for any other address.
 * @param siteUrl absent: only addresses without a host are this site's
 */
export function uploadAddressOf(address: string, siteUrl: string | undefined): string | null {
  const local = siteUrl && address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address;
  return local.startsWith('/uploads/') ? local.replace(/[?#].*$/s, '') : null;
}

/** Equal for two paths that name one file on a file system that ignores case or Unicode forms. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function isSegment(segment: string): boolean {
  return (
    segment !== '' &&
    !segment.startsWith('.') && // covers . and ..; dot files are never served and never backed up
    !/[. ]$/.test(segment) &&
    !foreignCharacter.test(segment) &&
    !reservedName.test(segment) &&
    byteLength(segment) <= MAX_SEGMENT_BYTES
  );
}

function byteLength(value: string): number {
  return new TextEncoder().encode(value).length;
}
