import { SaxesParser } from 'saxes';

/** The texts of all elements of a name in an XML document. @throws the parser's error if it is not well-formed. */
export function xmlTexts(xml: string, element: string): string[] {
  const texts: string[] = [];
  let text: string | undefined;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => (text = name === element ? '' : undefined));
  const take = (part: string) => {
    if (text !== undefined) text += part;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', ({ name }) => {
    if (name === element && text !== undefined) texts.push(text.trim());
    text = undefined;
  });
  parser.write(xml).close();
  return texts;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Replaces the entities that the server writes with their characters. */
export function decodeEntities(html: string): string {
  return html.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot));/gi,
    (whole, hex, decimal, name: string) => {
      if (hex) return String.fromCodePoint(Number.parseInt(hex as string, 16));
      return decimal ? String.fromCodePoint(Number(decimal)) : (entities[name.toLowerCase()] ?? whole);
    },
  );
}
