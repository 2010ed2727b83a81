// Long enough that compressed image data does not contain them by chance (below 1 in 100,000 for 25 MB).
const activeContent =
  /<script|<html[\s>]|<!doctype|<\?php\s|<iframe|%PDF-\d|xmlns="http:\/\/www\.w3\.org\/2000\/svg"/i;

// A ZIP, and so a JAR or an Office file, is found from its end: the record is in the last 64 KB.
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
const ZIP_TAIL_BYTES = 66_000;

/**
 * True when an image is also a page, a PDF or an archive (a polyglot). Encoding removes the foreign part anyway; the
 * upload is rejected because such a file is hostile. Trailing data of cameras (gain maps, motion photos) is allowed.
 */
export function hasForeignContent(bytes: Buffer): boolean {
  return activeContent.test(bytes.toString('latin1')) || bytes.subarray(-ZIP_TAIL_BYTES).includes(ZIP_END);
}
