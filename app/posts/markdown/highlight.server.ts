import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import type { HighlighterCore, ThemedToken } from 'shiki/core';
import type { BundledLanguage, bundledLanguages as Languages } from 'shiki/langs';
import { walkElements } from './walk.ts';

// A longer block is data, and highlighting it would delay the save.
const MAX_BLOCK = 60_000;
const MAX_LINE = 2_000;
const MAX_POST = 400_000;
// Milliseconds of real time. The highlighter's default of half a second can end on a busy machine before the grammar is
// compiled; then the code would never be highlighted.
const MAX_LINE_MS = 5_000;

/**
 * Highlights code blocks whose language is known: `<span class="hl-…">`, no styles; `app/site/styles/code.css` gives
 * the classes their colours. Loads the highlighter and each language at first use.
 */
export async function highlightCode(tree: Root): Promise<void> {
  const blocks: { code: Element; language: string; text: string }[] = [];
  walkElements(tree, (node) => {
    if (node.tagName !== 'pre') return;
    const code = node.children.find((child): child is Element => child.type === 'element');
    const language = code?.tagName === 'code' ? languageOf(code) : undefined;
    if (code && language) blocks.push({ code, language, text: toString(code) });
  });
  if (blocks.length === 0) return;
  const { bundledLanguages } = await import('shiki/langs');
  let left = MAX_POST;
  for (const { code, language, text } of blocks) {
    if (text.length > Math.min(MAX_BLOCK, left) || !Object.hasOwn(bundledLanguages, language)) continue;
    const highlighter = await withLanguage(bundledLanguages, language as BundledLanguage);
    left -= text.length;
    code.children = highlighter
      .codeToTokensBase(text, {
        lang: language,
        theme: THEME,
        tokenizeMaxLineLength: MAX_LINE,
        tokenizeTimeLimit: MAX_LINE_MS,
      })
      .flatMap((line, index): ElementContent[] => {
        const spans = line.map(asSpan);
        return index === 0 ? spans : [{ type: 'text', value: '\n' }, ...spans];
      });
  }
}

/** `rust` of `class="language-rust,ignore"`. */
function languageOf(code: Element): string | undefined {
  const names = Array.isArray(code.properties.className) ? code.properties.className : [];
  const name = names.map(String).find((value) => value.startsWith('language-'));
  return (
    name
      ?.slice('language-'.length)
      .split(/[,{:;\s]/)[0]!
      .toLowerCase() || undefined
  );
}

function asSpan({ content, color, fontStyle }: ThemedToken): ElementContent {
  const text = { type: 'text' as const, value: content };
  const kind = /--hl-token-([a-z-]+)/.exec(color ?? '')?.[1];
  const className = [
    ...(kind ? [`hl-${kind}`] : []),
    ...(fontStyle && fontStyle > 0 ? fontClasses.filter((_, bit) => fontStyle & (1 << bit)) : []),
  ];
  if (className.length === 0) return text;
  return { type: 'element', tagName: 'span', properties: { className }, children: [text] };
}

// In the order of the highlighter's bits.
const fontClasses = ['hl-italic', 'hl-bold', 'hl-underline', 'hl-struck'];

const THEME = 'classes';
let highlighter: Promise<HighlighterCore> | undefined;
const loadedLanguages = new Set<string>();

async function withLanguage(languages: typeof Languages, name: BundledLanguage): Promise<HighlighterCore> {
  highlighter ??= createHighlighter();
  const loaded = await highlighter;
  if (!loadedLanguages.has(name)) await loaded.loadLanguage(languages[name]);
  loadedLanguages.add(name);
  return loaded;
}

async function createHighlighter(): Promise<HighlighterCore> {
  const { createCssVariablesTheme, createHighlighterCore } = await import('shiki/core');
  const { createOnigurumaEngine } = await import('shiki/engine/oniguruma');
  return createHighlighterCore({
    // The theme's “colours” are names of kinds of token, which become classes.
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--hl-', fontStyle: true })],
    langs: [],
    engine: createOnigurumaEngine(import('shiki/wasm')),
  });
}
