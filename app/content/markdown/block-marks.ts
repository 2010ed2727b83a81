import { replacePairs } from './replace-pairs.ts';
import type { TransformContext } from './tag-values.ts';

/** `## Heading {#id}` becomes an anchor; other attribute lists (`{: .class}`, `{.class}` behind a heading) go. */
export function readAttributes(text: string): string {
  return text
    .replace(/^[*-] +(?:TOC|toc)\s*\n\{:\s*toc[^}\n]*\}[ \t]*\n?/gm, '')
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

/** `> [!NOTE]` of GitHub and Obsidian's callouts: a quotation that begins with its kind. */
export function readAlerts(text: string): string {
  return text.replace(
    /^([ \t]*>[ \t]*)\[!(\w+)\][+-]?[ \t]*([^\n]*)/gm,
    (_, mark: string, kind: string, title: string) => {
      const label = title.trim() || kind[0]!.toUpperCase() + kind.slice(1).toLowerCase();
      return `${mark}**${label}**\n${mark.trimEnd()}`;
    },
  );
}

const admonitionOpen = /^:::+[ \t]*(\w+)(?:\[([^\]\n]*)\]|[ \t]+([^\n]*))?[ \t]*\n/gm;
const admonitionClose = /^:::+[ \t]*$/gm;

/** `:::tip Title … :::` of Docusaurus: a quotation that begins with its title. */
export function readAdmonitions(text: string, { verbatim }: TransformContext): string {
  return replacePairs(
    text,
    admonitionOpen,
    () => admonitionClose,
    ([, kind = '', bracketed, title], inner) => {
      const label = (bracketed ?? title ?? '').trim() || kind[0]!.toUpperCase() + kind.slice(1);
      const lines = [`**${label}**`, '', ...verbatim.restore(inner).trim().split('\n')];
      return `${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n`;
    },
  );
}
