import { ident, parse, walk } from 'css-tree';
import { localPath } from '#app/platform/http/paths.ts';

const REFUSED_PROPERTIES = new Set(['behavior', '-moz-binding']);

/**
 * The first reason why a site's own CSS cannot be used, in words for its author; null for CSS that can.
 * The pages' Content-Security-Policy lets only pictures be loaded from elsewhere.
 */
export function customCssProblem(css: string): string | null {
  const problems: string[] = [];
  const report = (message: string, line?: number) =>
    problems.push(line === undefined ? message : `Line ${line}: ${message}`);
  // Browsers that know it also take comments within its name and spaces after it.
  if (/\bexpression\s*\(/i.test(withoutComments(css))) report('expression() is not allowed.');
  // Markup that could end the style element has no use in CSS.
  if (/<\/?style|<!--/i.test(css)) report('The CSS must not contain HTML.');
  const sheet = parse(css, {
    positions: true,
    parseCustomProperty: true,
    onParseError: (error) => report(`this is not valid CSS: ${error.message}.`, error.line),
  });
  walk(sheet, (node) => {
    const line = node.loc?.start.line;
    if (node.type === 'Atrule' && ['import', 'charset', 'namespace'].includes(plain(node.name)))
      report(`@${node.name} is not allowed here.`, line);
    if (node.type === 'Url' && !isOwnAddress(node.value))
      report('url() may only name files of this site, such as /uploads/….', line);
    if (node.type === 'Function') {
      const name = plain(node.name);
      if (name === 'expression') report('expression() is not allowed.', line);
      if (['url', 'image', 'image-set', '-webkit-image-set', 'src'].includes(name))
        report(`${node.name}() is not allowed; use url() with a file of this site.`, line);
    }
    if (node.type === 'Declaration' && REFUSED_PROPERTIES.has(plain(node.property)))
      report(`the property ${node.property} is not allowed.`, line);
    if (
      node.type === 'Raw' &&
      /\b(expression|url|image-set)\s*\(|behavior|-moz-binding|@import/i.test(node.value)
    )
      report('this part could not be read.', line);
  });
  return problems[0] ?? null;
}

/** A name without its escapes: browsers read `@\\69mport` as `@import`. */
function plain(name: string): string {
  return ident.decode(name).toLowerCase();
}

function withoutComments(css: string): string {
  const [first = '', ...rest] = css.split('/*');
  return first + rest.map((part) => part.split('*/').slice(1).join('*/')).join('');
}

/** A path of this site as browsers resolve it (they drop an escaped tab, for example), or a fragment within the page. */
function isOwnAddress(url: string): boolean {
  const address = url.trim();
  return localPath(address) !== null || /^#[\w-]+$/.test(address);
}
