import { escapeAttribute } from '#app/platform/text/html.ts';
import { directionOf } from '#app/platform/text/supported-languages.ts';
import type { MailColors, MailLook } from './mail-look.server.ts';
import type { NewsletterTexts } from './texts.ts';

interface Page {
  look: MailLook;
  /** Addresses of the site and the post. */
  home: string;
  url: string;
  texts: NewsletterTexts;
  language: string;
  subject: string;
  preview: string;
  name: string;
  footer: string;
  manage: string;
  unsubscribe: string;
}

/** The frame around a post: one column of at most 600 px, as tables for Outlook, in the colours of the site. */
export function mailPage(page: Page, content: string): string {
  const { look, home, url, texts, language, subject, preview, name, footer, manage, unsubscribe } = page;
  const { paper, ink, inkSoft, accent, rule } = look.light;
  const link = (href: string, label: string, style = `color:${accent}`) =>
    `<a href="${escapeAttribute(href)}" style="${style}">${escapeAttribute(label)}</a>`;
  const address = escapeAttribute(footer).replaceAll('\n', '<br>');
  const site = `<a class="plain" href="${escapeAttribute(home)}" style="color:${ink};text-decoration:none">${escapeAttribute(name)}</a>`;
  return `<!doctype html>
<html lang="${escapeAttribute(language)}" dir="${directionOf(language) ?? 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeAttribute(subject)}</title>
<!--[if mso]><style>td, p, h1, h2, h3, h4, li { font-family: ${look.outlook} !important; }</style><![endif]-->
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
${darkRules(look.dark)}
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${paper};color:${ink}">
<div style="display:none;max-height:0;overflow:hidden">${escapeAttribute(preview)}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background-color:${paper}"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td style="font-family:${look.body};font-size:17px;line-height:1.6;color:${ink};text-align:start;overflow-wrap:anywhere;word-break:break-word">
<p class="site" style="margin:0 0 28px;padding:0 0 12px;border-bottom:2px solid ${accent};font-family:${look.heading};font-size:20px;line-height:1.3;font-weight:bold">${site}</p>
${content}
<p style="margin:24px 0 0">${link(url, texts.readOnWeb)}</p>
<hr style="margin:32px 0 16px;border:0;border-top:1px solid ${rule}">
<p class="soft" style="margin:0;font-size:14px;color:${inkSoft}">${address}${address && '<br>'}${link(manage, texts.manage)} · ${link(unsubscribe, texts.unsubscribe)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

/** What mail programs that know dark schemes put over the inline styles. */
function darkRules({ paper, surface, ink, inkSoft, rule, mark, accent }: MailColors): string {
  return `  .page, .page td { background-color: ${paper} !important; color: ${ink} !important; }
  .page td, .page th, .page hr { border-color: ${rule} !important; }
  .page .site, .page blockquote { border-color: ${accent} !important; }
  .page a { color: ${accent} !important; }
  .page a.plain { color: ${ink} !important; }
  .page .soft { color: ${inkSoft} !important; }
  .page pre, .page th { background-color: ${surface} !important; color: ${ink} !important; }
  .page mark { background-color: ${mark} !important; color: ${ink} !important; }`;
}
