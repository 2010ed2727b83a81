/** The attributes of a code block besides its language. */
export interface CodeNotes {
  /** A file name, or another title above the code. */
  title?: string | undefined;
  /** Lines that are marked, in any usual form: `1,3-5`, `1 3-5`, `[1,"3-5"]`. */
  lines?: string | undefined;
}

/** The attributes as text after the language of a fenced block, with a leading space; blank without attributes. */
export function codeNotes({ title = '', lines = '' }: CodeNotes): string {
  const name = title
    .replace(/["\n`{}]/g, '')
    .trim()
    .slice(0, 200);
  const marked = (lines.match(/\d+(?:\s*[-–]\s*\d+)?/g) ?? []).map((range) =>
    range.replace(/\s*[-–]\s*/, '-'),
  );
  return (name === '' ? '' : ` title="${name}"`) + (marked.length === 0 ? '' : ` {${marked.join(',')}}`);
}

/** The first line of a fenced block of Hugo, Zola or Gatsby as the site reads it. */
export function readCodeInfo(line: string): string {
  const [, fence = '', language = '', rest = ''] =
    /^([ \t>]*(?:`{3,}|~{3,})[ \t]*)([\w+#.-]*)(.*)$/s.exec(line) ?? [];
  if (rest.trim() === '') return line;
  // VitePress and Nuxt: `js:line-numbers {1} [a.js]`.
  const labelled =
    /^(?::(?:no-)?line-numbers(?:=\d+)?)?\s*(?:\{([\d,\s-]+)\})?\s*(?:\[([^\]\n]+)\])?\s*(?:\{([\d,\s-]+)\})?$/.exec(
      rest,
    );
  if (labelled)
    return fence + language + codeNotes({ title: labelled[2], lines: labelled[1] ?? labelled[3] });
  // Gatsby: `js:title=src/a.js{1,3}`.
  const gatsby = /^:title=([^{\s]+)\s*(\{[\d,\s-]+\})?/.exec(rest);
  if (gatsby) return fence + language + codeNotes({ title: gatsby[1], lines: gatsby[2] });
  if (/^\{[\d,\s-]+\}/.test(rest)) return `${fence}${language} ${rest}`;
  // Zola: `rust,linenos,hl_lines=3-5 8,name=mod.rs`.
  if (rest.startsWith(','))
    return (
      fence +
      language +
      codeNotes({
        title: /(?:^|,)\s*name=("[^"]*"|[^,]+)/.exec(rest)?.[1],
        lines: /(?:^|,)\s*hl_lines=([\d\s-]+)/.exec(rest)?.[1],
      })
    );
  // Hugo: `go {hl_lines=[1,"3-5"] filename="a.go"}`.
  const hugo = /^\s*\{([^}]*=[^}]*)\}\s*$/.exec(rest)?.[1];
  if (hugo === undefined) return line;
  const title = /(?:title|filename|file|name)\s*=\s*"([^"]*)"/i.exec(hugo)?.[1];
  const lines = /hl_lines\s*=\s*(\[[^\]]*\]|"[^"]*"|[\d-]+)/i.exec(hugo)?.[1];
  return fence + language + codeNotes({ title, lines });
}
