import { SaxesParser } from 'saxes';

export interface XmlElement {
  /** With its prefix, as written. */
  name: string;
  /** Namespace URI, `''` for none. */
  namespace: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The character data directly inside. */
  text: string;
}

/** Parses a namespaced XML document. @throws if it is not well-formed */
export function parseXml(source: string): XmlElement {
  const document: XmlElement = { name: '', namespace: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, uri, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value]);
    const element = { name, namespace: uri, attributes: Object.fromEntries(values), children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const addText = (text: string) => (open.at(-1)!.text += text);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(source).close();
  return document.children[0]!;
}

/** The children of that name. */
export function all(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The text of the first child of that name; undefined without one. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return all(element, name)[0]?.text;
}
