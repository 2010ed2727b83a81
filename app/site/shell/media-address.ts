/**
 * A page or feed whose media addresses lead to the public media address instead of `/uploads/`.
 * @param text HTML with double-quoted attributes, XML or JSON
 * @param mediaUrl without a trailing slash; undefined changes nothing
 */
export function withMediaAddresses(text: string, siteUrl: string, mediaUrl: string | undefined): string {
  if (mediaUrl === undefined || !text.includes('/uploads/')) return text;
  const attributes = /(\s(?:src|srcset|srcSet|href|poster|content)=")([^"]*\/uploads\/[^"]*)/g;
  return text
    .replaceAll(`${siteUrl}/uploads/`, `${mediaUrl}/`)
    .replace(
      attributes,
      (_, before: string, value: string) => before + value.replace(/(^|,\s*)\/uploads\//g, `$1${mediaUrl}/`),
    );
}
