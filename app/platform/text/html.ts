/** A plain text as the content of an HTML element. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const entity = /&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos|nbsp));/gi;
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Decodes numbers, and the names that every HTML parser knows. What is no character is dropped. */
export function decodeEntities(html: string): string {
  return html.replace(entity, (_, hex?: string, decimal?: string, name?: string) => {
    if (name) return named[name.toLowerCase()]!;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '';
  });
}

/** A plain text as the value of an HTML attribute, in double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
