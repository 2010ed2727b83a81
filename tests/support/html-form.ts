import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Fields } from './http-client.ts';

/** The values that a browser without JavaScript would send of a page's form, before anybody types. */
export interface PageForm {
  action: string | null;
  fields: Fields;
  /** Names and values of its buttons. */
  buttons: { name: string; value: string; text: string }[];
}

/** The forms of a page that are sent as POST. */
export function postForms(html: string): PageForm[] {
  return elements(parse(html))
    .filter((element) => element.tagName === 'form' && attribute(element, 'method') === 'post')
    .map((form) => {
      const controls = elements(form);
      return {
        action: attribute(form, 'action'),
        fields: fieldsOf(controls),
        buttons: controls
          .filter(({ tagName }) => tagName === 'button')
          .map((button) => ({
            name: attribute(button, 'name') ?? '',
            value: attribute(button, 'value') ?? '',
            text: textOf(button),
          })),
      };
    });
}

function fieldsOf(controls: Tree.Element[]): Fields {
  const fields: Record<string, string[]> = {};
  for (const control of controls) {
    const name = attribute(control, 'name');
    const value = name === null || name === '' ? null : valueOf(control);
    if (value !== null) (fields[name!] ??= []).push(value);
  }
  return fields;
}

function valueOf(control: Tree.Element): string | null {
  const type = attribute(control, 'type') ?? 'text';
  if (control.tagName === 'textarea') return textOf(control);
  if (control.tagName === 'select') {
    const options = elements(control).filter(({ tagName }) => tagName === 'option');
    const chosen = options.find((option) => attribute(option, 'selected') !== null) ?? options[0];
    return chosen ? (attribute(chosen, 'value') ?? textOf(chosen)) : null;
  }
  if (control.tagName !== 'input' || type === 'file' || type === 'submit') return null;
  if ((type === 'checkbox' || type === 'radio') && attribute(control, 'checked') === null) return null;
  return attribute(control, 'value') ?? '';
}

function elements(node: Tree.Node): Tree.Element[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  return children.flatMap((child) => ('tagName' in child ? [child, ...elements(child)] : []));
}

function attribute(element: Tree.Element, name: string): string | null {
  return element.attrs.find((candidate) => candidate.name === name)?.value ?? null;
}

function textOf(node: Tree.Node): string {
  if (node.nodeName === '#text') return (node as Tree.TextNode).value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
