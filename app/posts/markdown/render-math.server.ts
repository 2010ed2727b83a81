import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { parseHtml } from '#app/platform/text/hast.ts';
import { walkElements } from './walk.ts';

/** The characters of all formulas that are rendered in a post. Later formulas are shown as typed. */
const CHARACTERS_MAX = 40_000;

/**
 * Renders formulas as MathML, which browsers draw without a stylesheet, a font or a script. A formula that KaTeX cannot
 * read stays as typed. Loads KaTeX at the first formula.
 */
export async function renderMaths(tree: Root): Promise<void> {
  const formulas: { node: Element; parent: Root | Element; index: number }[] = [];
  walkElements(tree, (node, parent, index) => {
    if (node.tagName === 'code' && node.properties.dataMath !== undefined)
      formulas.push({ node, parent, index });
  });
  if (formulas.length === 0) return;
  const { default: katex } = await import('katex');
  let left = CHARACTERS_MAX;
  for (const { node, parent, index } of formulas) {
    const { dataMath, ...properties } = node.properties;
    const displayMode = dataMath === 'block';
    const text = toString(node);
    left -= text.length;
    node.properties = properties;
    if (left < 0) continue;
    try {
      const html = katex.renderToString(text, {
        output: 'mathml',
        displayMode,
        throwOnError: true,
        strict: 'ignore',
        trust: false,
        maxSize: 20,
        maxExpand: 200,
      });
      const math = mathOf(html);
      if (math) parent.children[index] = math;
      if (math && displayMode && parent.type === 'element') parent.properties.className = ['math'];
    } catch {
      // An invalid formula is shown as its source.
    }
  }
}

/** The `<math>` element without styles, and without the copy of the source that a screen reader would read as well. */
function mathOf(html: string): Element | null {
  let math: Element | null = null;
  walkElements(parseHtml(html), (node) => {
    delete node.properties.style;
    delete node.properties.className;
    if (node.tagName === 'semantics') node.children = node.children.slice(0, 1);
    if (node.tagName === 'math') math ??= node;
  });
  return math;
}
