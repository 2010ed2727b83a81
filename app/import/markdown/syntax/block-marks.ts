import { calloutKind, calloutMark, calloutOf } from '#app/import/html/callouts.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import { detailsOf } from './callout-tags.ts';
import type { TransformContext } from './tag-values.ts';

/** Kramdown writes formulas inside a line as `$$x$$`, the site as `$x$`. */
function readLineMaths(text: string): string {
  return text.replace(/^(?![ \t]*\$\$[^$\n]*\$\$[ \t]*$).*\$\$.*$/gm, (line) =>
    line.replace(/\$\$([^$`\n]+)\$\$/g, (_, formula: string) => `$\`${formula.trim()}\`$`),
  );
}

/**
 * Replaces kramdown's formulas, and the classes of themes that make a paragraph a call-out: `{: .note }` before or
 * after it, `{: .notice--warning}` and `{: .prompt-tip }` after it.
 */
export function readNotices(text: string, { verbatim }: TransformContext): string {
  const lines = (paragraph: string) => paragraph.replace(/^>[ \t]?/gm, '');
  return readLineMaths(text)
    .replace(
      /^\{:[ \t]*\.(note|tip|important|warning|caution|highlight|new)(?:-title)?[ \t]*\}[ \t]*\n((?:[^\n]+\n?)+)/gm,
      (_, kind: string, paragraph: string) => `${calloutOf(kind, '', lines(paragraph), verbatim)}\n`,
    )
    .replace(
      /^((?:[^\n]+\n){1,100})\{:[ \t]*\.(?:notice--|prompt-)?(notice|\w+)[ \t]*\}[ \t]*$/gm,
      (whole: string, paragraph: string, name: string) => {
        const kind = name === 'notice' ? 'note' : name;
        return calloutKind(kind) === null ? whole : calloutOf(kind, '', lines(paragraph), verbatim);
      },
    );
}

/**
 * Replaces `## Heading {#id}` by an anchor. Removes other attribute lists (`{: .class}`, `{.class}` after a heading)
 * and marks for a table of contents.
 */
export function readAttributes(text: string): string {
  return text
    .replace(/^(?:\[toc\]|\[\[toc\]\])[ \t]*$/gim, '')
    .replace(/^(?:[*-]|1\.) +[^\n]*\n[ \t]*\{:\s*toc[^}\n]*\}[ \t]*\n?/gim, '')
    .replace(
      /^(#{1,6}[ \t]+)(.+?)[ \t]*\{:?[ \t]*([^{}\n]*)\}[ \t]*$/gm,
      (whole: string, marks: string, title: string, attributes: string) => {
        if (!/^[#.\w]/.test(attributes.trim())) return whole;
        const id = /#([\w-]+)/.exec(attributes)?.[1];
        return id === undefined ? marks + title : `${marks}<a id="${id}"></a>${title}`;
      },
    )
    .replace(/^\{:[^{}\n]*\}[ \t]*\n?/gm, '')
    .replace(/(?<=[)\]*_`>])\{:[^{}\n]*\}/g, '');
}

/** Replaces `> [!kind]- Title` of GitHub and Obsidian, which have many kinds, by call-outs of the site. */
export function readAlerts(text: string): string {
  return text.replace(
    /^([ \t]*>[ \t]*)\[!([\w-]+)\][+-]?[ \t]*([^\n]*)/gm,
    (_, mark: string, kind: string, title: string) => mark + calloutMark(kind, title),
  );
}

const admonitionOpen =
  /^[ \t]{0,3}(:::+)[ \t]*([\w-]+)(?:\[([^\]\n]*)\]|[ \t]+([^\n{]*))?(?:\{[^}\n]*\})?[ \t]*\n/gm;

/**
 * Replaces `:::tip Title … :::` of Docusaurus and Starlight by call-outs. A block with more colons may contain others.
 */
export function readAdmonitions(text: string, { verbatim }: Pick<TransformContext, 'verbatim'>): string {
  return replacePairs(
    text,
    admonitionOpen,
    ([, marks]) => new RegExp(String.raw`^[ \t]{0,3}${marks}(?!:)[ \t]*$`, 'gm'),
    ([, , kind = '', bracketed, title], inner) => {
      const nested = readAdmonitions(inner, { verbatim });
      if (kind === 'details') return `${detailsOf(bracketed ?? title ?? '', nested, verbatim).trim()}\n`;
      if (/^(code-group|raw|v-pre|tabs)$/.test(kind)) return `\n${nested}\n`;
      return `${calloutOf(kind, bracketed ?? title ?? '', nested, verbatim)}\n`;
    },
  );
}
