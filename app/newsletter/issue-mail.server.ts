import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { withAbsoluteUrls } from '#app/feeds/markup.ts';
import { readMailServer, senderOf, type MailServer, sendMail } from '#app/people/mail.server.ts';
import type { Database } from '#app/platform/database/client.server.ts';
import { escapeAttribute } from '#app/platform/text/html.ts';
import { dateFormat } from '#app/platform/time/format.ts';
import type { PostFieldName, PostFields } from '#app/posts/fields/fields.ts';
import { summaryColumns, toSummary, type PostSummary } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { pictureColumns } from '#app/posts/pictures/public-image.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';
import { coverHtml, mailBlocks, mailPage } from './mail-html.ts';
import { mailLookOf, type MailLook } from './mail-look.server.ts';
import { mailText } from './mail-text.ts';
import type { Subscriber } from './subscribers.server.ts';
import { newsletterTexts } from './texts.ts';

/** Gmail cuts a mail at 102 KB. */
const HTML_BYTES = 100_000;

/** Stands for the reader's token in the mail that all readers share; as long as one. */
const TOKEN = '0'.repeat(43);

/** The headers that our signature covers, with both that unsubscribe. */
const SIGNED =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post';

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
  const post = await readMailPost(app, issue.postId);
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
  const look = mailLookOf(settings);
  const bodyHtml = withAbsoluteUrls(coverHtml(post.cover) + post.bodyHtml, url);
  const head = [
    `<h1 style="margin:0 0 12px;font-family:${look.heading};font-size:32px;line-height:1.2">${escapeAttribute(post.title)}</h1>`,
    ...bylineOf(post, { language, timeZone: settings.site_timezone, look }),
  ];
  const content = [...head, ...mailBlocks(bodyHtml, { play: texts.play, url, look })];
  const page = {
    ...{ look, home: siteUrl },
    ...{ url, texts, language, subject, preview: preview || post.excerpt },
    name: settings.newsletter_name || settings.site_title,
    footer: settings.newsletter_footer,
    manage: `${siteUrl}/subscription/${TOKEN}`,
    unsubscribe: `${siteUrl}/unsubscribe/${TOKEN}`,
  };
  const rest = `${page.texts.readOn}: ${url}`;
  const readOn = `<p style="margin:0 0 16px"><a href="${escapeAttribute(url)}">${escapeAttribute(texts.readOn)}</a></p>`;
  let html = mailPage(page, content.join('\n'));
  let shown = content.length;
  while (Buffer.byteLength(html) > HTML_BYTES && shown > head.length) {
    // Each round drops as many blocks as are too much, at least one.
    const over = Buffer.byteLength(html) - HTML_BYTES;
    for (let cut = 0; cut < over && shown > head.length;) cut += Buffer.byteLength(content[(shown -= 1)]!);
    html = mailPage(page, [...content.slice(0, shown), readOn].join('\n'));
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

/** Authors and day, as below the title on the site. */
function bylineOf(
  post: MailPost,
  { language, timeZone, look }: { language: string; timeZone: string; look: MailLook },
): string[] {
  const day =
    post.publishedAt && dateFormat(language, timeZone, { dateStyle: 'long' }).format(post.publishedAt);
  const words = [post.authors.map(({ displayName }) => displayName).join(', '), day].filter(Boolean);
  if (words.length === 0) return [];
  const line = escapeAttribute(words.join(' · '));
  return [`<p class="soft" style="margin:0 0 24px;font-size:15px;color:${look.light.inkSoft}">${line}</p>`];
}

/** What a mail shows of a post. `publishedAt` is null until it is public. */
interface MailPost extends Pick<
  PostSummary,
  'title' | 'slug' | 'excerpt' | 'cover' | 'authors' | 'language'
> {
  bodyHtml: string;
  publishedAt: Date | null;
}

const fieldNames = [
  ...(['title', 'excerpt', 'language', 'coverMediaId', 'coverAlt', 'coverDecorative'] as const),
] satisfies PostFieldName[];

/** Fields of a form that is not saved, and its rendered body. */
type MailFields = Partial<Pick<PostFields, (typeof fieldNames)[number]>> & { bodyHtml?: string };

const columns = { ...summaryColumns, bodyHtml: true } as const;

/** A post for its mail: as it is saved, or with the fields of a form. @returns null for one that is gone */
export async function readMailPost(
  { db }: { db: Database },
  postId: string,
  changed: MailFields = {},
): Promise<MailPost | null> {
  const row = await db.post.findUnique({ where: { id: postId }, select: columns });
  if (!row) return null;
  const coverMediaId = changed.coverMediaId;
  const coverMedia =
    coverMediaId === undefined
      ? row.coverMedia
      : coverMediaId && (await db.media.findUnique({ where: { id: coverMediaId }, select: pictureColumns }));
  const texts = fieldNames.filter((name) => name !== 'coverMediaId' && changed[name] !== undefined);
  const fields = Object.fromEntries(texts.map((name) => [name, changed[name]]));
  const { bodyHtml, ...summary } = { ...row, ...fields, coverMedia: coverMedia || null };
  const { title, slug, excerpt, cover, authors, language } = toSummary(summary);
  const { publishedAt } = row;
  return {
    ...{ title, slug, excerpt, cover, authors, language, publishedAt },
    bodyHtml: changed.bodyHtml ?? bodyHtml,
  };
}

/** Sends a post as its subscribers would get it to one address. Its links lead to no subscription. */
export async function sendTestMail(
  app: EffectApp,
  post: MailPost,
  { to, subject, preview }: { to: string; subject: string; preview: string },
): Promise<void> {
  const settings = await readSettings(app);
  const mail = previewMail(app.env.siteUrl, settings, post, { subject, preview });
  await sendMail(app, {
    ...mail,
    to,
    from: settings.newsletter_from || undefined,
    replyTo: settings.newsletter_reply_to || undefined,
  });
}
