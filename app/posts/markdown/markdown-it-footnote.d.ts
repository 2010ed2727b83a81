declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';

  /** Adds `[^label]` references and their definitions. */
  export default function footnotes(parser: MarkdownIt): void;
}
