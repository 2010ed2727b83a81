import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import { buffer } from 'node:stream/consumers';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { withAbsoluteUrls } from '#app/feeds/absolute-urls.ts';
import { readMailServer, senderOf, type MailServer } from '#app/people/mail/send.server.ts';
import { escapeAttribute } from '#app/platform/text/html.ts';
import { directionOf } from '#app/platform/text/supported-languages.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { mailBlocks } from './mail-body.ts';
import { mailText } from './mail-text.ts';
import type { Subscriber } from './subscribers.server.ts';
import { newsletterTexts, type NewsletterTexts } from './texts.ts';

/** Gmail cuts a mail at 102 KB. */
const HTML_BYTES = 100_000;

/** Stands for the reader's token in the mail that all readers share; as long as one. */
const TOKEN = '0'.repeat(43);

/** The headers that our signature covers, with both that unsubscribe. */
const SIGNED =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post';

/** What a mail shows of a post. */
export interface MailPost {
  title: string;
  slug: string;
  bodyHtml: string;
  language: string;
  excerpt: string;
}
const postColumns = { title: true, slug: true, bodyHtml: true, language: true, excerpt: true } as const;

/** A mail as all readers get it but for their links. */
export interface IssueMail {
  subject: string;
  html: string;
  text: string;
}

export interface PreparedIssue {
  server: MailServer;
  perMinute: number;
  mailFor(subscriber: Subscriber): Promise<{ envelopeFrom: string; message: Buffer }>;
}

/** Reads what the mails of an issue need. Null without a server, a sender or the post. */
export async function prepareIssue(
  app: EffectApp,
  issue: { id: string; postId: string; subject: string; preview: string; createdAt: Date },
): Promise<PreparedIssue | null> {
  const settings = await readSettings(app);
  const from = settings.newsletter_from || settings.smtp_from;
  const post = await app.db.post.findUnique({ where: { id: issue.postId }, select: postColumns });
  if (settings.smtp_host === '' || from === '' || !post) return null;
  const mail = makeMail(app.env.siteUrl, settings, post, issue);
  const sender = senderOf(from);
  const host = new URL(app.env.siteUrl).hostname;
  const signer = await readSigner(app, settings);
  return {
    server: await readMailServer(app),
    perMinute: settings.newsletter_per_minute,
    async mailFor(subscriber) {
      const unsubscribe = `${app.env.siteUrl}/unsubscribe/${subscriber.token}`;
      const composed = new MailComposer({
        from: {
          name: sender.name || settings.newsletter_name || settings.site_title,
          address: sender.address,
        },
        to: subscriber.email,
        ...(settings.newsletter_reply_to && { replyTo: settings.newsletter_reply_to }),
        subject: mail.subject,
        // The same at every try, so that receivers can drop a second copy.
        messageId: `<${issue.id}.${subscriber.id}@${host}>`,
        date: issue.createdAt,
        headers: {
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          'List-Id': { prepared: true, value: `<newsletter.${host}>` },
          'Feedback-ID': `${issue.id}:newsletter`,
        },
        text: mail.text.replaceAll(TOKEN, subscriber.token),
        html: mail.html.replaceAll(TOKEN, subscriber.token),
      }).compile();
      const raw = await buffer(composed.createReadStream());
      const message = signer ? await buffer(signer.sign(raw)) : raw;
      return { envelopeFrom: returnPath(settings, sender.address, subscriber.id), message };
    },
  };
}

/** The bytes of a mail's HTML, by which programs cut it. */
export const sizeOf = ({ html }: IssueMail) => Buffer.byteLength(html);

/** The mail of a post as its readers would get it, for a test. Its links lead to no subscription. */
export function previewMail(
  siteUrl: string,
  settings: Settings,
  post: MailPost,
  { subject, preview }: { subject: string; preview: string },
): IssueMail {
  return makeMail(siteUrl, settings, post, { subject: subject || post.title, preview });
}

/** A report of failed delivery goes to the bounce mailbox, to an address that tells whose mail it was. */
function returnPath(settings: Settings, sender: string, subscriberId: string): string {
  const { bounce_imap_host, bounce_imap_username } = settings;
  const mailbox = bounce_imap_username.includes('@') ? bounce_imap_username : sender;
  if (bounce_imap_host === '') return sender;
  const at = mailbox.lastIndexOf('@');
  return `${mailbox.slice(0, at)}+${subscriberId.replaceAll('-', '')}${mailbox.slice(at)}`;
}

/** The signature with the operator's own key; null where the mail server signs. */
async function readSigner(app: EffectApp, { dkim_domain, dkim_selector }: Settings) {
  const row = await app.db.setting.findUnique({ where: { key: 'dkim_private_key' } });
  if (!row?.value || dkim_domain === '' || dkim_selector === '') return null;
  const stored = decryptSecret(row.value, app.env.authSecret);
  // A field of one line has taken the line ends.
  const [, kind = 'PRIVATE KEY', body = ''] = /-----BEGIN ([A-Z ]+)-----([^-]+)-----END/.exec(stored) ?? [];
  const lines = body.replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
  const privateKey = `-----BEGIN ${kind}-----\n${lines.join('\n')}\n-----END ${kind}-----\n`;
  return new DKIM({
    domainName: dkim_domain,
    keySelector: dkim_selector,
    privateKey,
    headerFieldNames: SIGNED,
  });
}

function makeMail(
  siteUrl: string,
  settings: Settings,
  post: MailPost,
  { subject, preview }: { subject: string; preview: string },
): IssueMail {
  const language = post.language || settings.site_language;
  const texts = newsletterTexts(language);
  const url = siteUrl + encodePath(postPath(post.slug));
  const blocks = mailBlocks(withAbsoluteUrls(post.bodyHtml, url), { play: texts.play, url });
  const content = [
    `<h1 style="margin:0 0 16px;font-size:28px;line-height:1.2">${escapeAttribute(post.title)}</h1>`,
    ...blocks,
  ];
  const page = {
    ...{ url, texts, language, subject, preview: preview || post.excerpt },
    name: settings.newsletter_name || settings.site_title,
    footer: settings.newsletter_footer,
    manage: `${siteUrl}/subscription/${TOKEN}`,
    unsubscribe: `${siteUrl}/unsubscribe/${TOKEN}`,
  };
  const rest = `${page.texts.readOn}: ${url}`;
  const readOn = `<p style="margin:0 0 16px"><a href="${escapeAttribute(url)}">${escapeAttribute(texts.readOn)}</a></p>`;
  let html = document(page, content.join('\n'));
  let shown = content.length;
  while (Buffer.byteLength(html) > HTML_BYTES && shown > 1) {
    // Each round drops as many blocks as are too much, at least one.
    const over = Buffer.byteLength(html) - HTML_BYTES;
    for (let cut = 0; cut < over && shown > 1;) cut += Buffer.byteLength(content[(shown -= 1)]!);
    html = document(page, [...content.slice(0, shown), readOn].join('\n'));
  }
  const footer = [
    page.footer,
    `${texts.manage}: ${page.manage}`,
    `${texts.unsubscribe}: ${page.unsubscribe}`,
  ];
  const text = [
    mailText(content.slice(0, shown).join('\n')),
    shown < content.length ? rest : `${texts.readOnWeb}: ${url}`,
    `-- \n${footer.filter(Boolean).join('\n')}`,
  ].join('\n\n');
  return { subject, html, text: `${text}\n` };
}

interface Page {
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

/** The frame around the post: one column of at most 600 px, as tables for Outlook. */
function document(page: Page, content: string): string {
  const { url, texts, language, subject, preview, name, footer, manage, unsubscribe } = page;
  const link = (href: string, label: string) =>
    `<a href="${escapeAttribute(href)}">${escapeAttribute(label)}</a>`;
  const address = escapeAttribute(footer).replaceAll('\n', '<br>');
  return `<!doctype html>
<html lang="${escapeAttribute(language)}" dir="${directionOf(language) ?? 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeAttribute(subject)}</title>
<style>
:root { color-scheme: light dark; }
a { color: #0b57a4; }
@media (prefers-color-scheme: dark) {
  .page, .page td { background-color: #1b1b1a !important; color: #e8e8e6 !important; }
  .page a { color: #8ab8f2 !important; }
  .page pre { background-color: #2a2a28 !important; color: #e8e8e6 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#ffffff;color:#222222">
<div style="display:none;max-height:0;overflow:hidden">${escapeAttribute(preview)}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background-color:#ffffff"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td style="font-family:Georgia,'Times New Roman',serif;font-size:17px;line-height:1.6;color:#222222;text-align:start;overflow-wrap:anywhere;word-break:break-word">
<p style="margin:0 0 24px;font-size:14px"><strong>${escapeAttribute(name)}</strong> · ${link(url, texts.readOnWeb)}</p>
${content}
<hr style="margin:32px 0 16px;border:0;border-top:1px solid #999999">
<p style="margin:0;font-size:14px">${address}${address && '<br>'}${link(manage, texts.manage)} · ${link(unsubscribe, texts.unsubscribe)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}
