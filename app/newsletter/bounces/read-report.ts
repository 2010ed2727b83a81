import { refusalOf, type Refusal } from '../refusal.ts';
import { headersOf, partsOf, type MailPart } from './mime.ts';

/** What a mail in the bounce mailbox says. */
export type Report =
  /** `refusal`: what the server said of the recipient. */
  | { kind: 'bounce'; refusal: Refusal }
  /** The recipient called a mail spam, or asked for no more. */
  | { kind: 'complaint' }
  | { kind: 'none' };

const daemons =
  /mailer-?daemon|amazonaws\.com|postmaster|mail delivery|maildelivery|mail-daemon|mmdf|complaints@|no-?reply@.*(bounce|mail)/i;
const aboutDelivery =
  /undeliver|delivery (status|failure|report|has failed|notification)|returned mail|failure notice|could ?n[o’']t be delivered|non-?remis|mail delivery|delivery.{0,20}fail|message.{0,40}(not|n't) be? ?deliver|unzustellbar|rejected|returned to sender|warning: message/i;
const absence = /out of (the )?office|vacation|auto(matic)?[- ]?(reply|response)|abwesen|absence/i;

/** Reads a mail of the bounce mailbox. Mails that are no report of failed delivery mean nothing. */
export function readReport(raw: string): Report {
  const parts = partsOf(raw);
  const headers = headersOf(raw.replace(/\r\n?/g, '\n').split('\n\n')[0]!);
  const feedback = parts.find(({ type }) => type === 'message/feedback-report');
  if (feedback || /^feedback-type:/im.test(parts.map(({ text }) => text).join('\n'))) {
    const words = feedback?.text ?? parts.map(({ text }) => text).join('\n');
    const type = /^feedback-type:\s*([\w-]+)/im.exec(words)?.[1]?.toLowerCase();
    return type === 'abuse' || type === 'opt-out' ? { kind: 'complaint' } : { kind: 'none' };
  }
  const status = parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  if (!status && !isReport(headers, parts)) return { kind: 'none' };
  return bounceOf(status ?? embeddedStatus(parts), wordsOf(parts));
}

function isReport(headers: ReadonlyMap<string, string>, parts: readonly MailPart[]): boolean {
  const subject = headers.get('subject') ?? '';
  const isFromMachine =
    headers.has('x-failed-recipients') ||
    headers.get('return-path') === '<>' ||
    daemons.test(headers.get('from') ?? '') ||
    /report-type="?delivery-status/i.test(headers.get('content-type') ?? '');
  if (absence.test(subject) || headers.has('x-autoreply') || headers.has('x-autorespond')) return false;
  if (/auto-replied/i.test(headers.get('auto-submitted') ?? '') && headers.has('in-reply-to')) return false;
  return (
    isFromMachine ||
    aboutDelivery.test(subject) ||
    /^(hi\. this is the|this is (the|an?) .*mail)/im.test(parts[0]?.text ?? '')
  );
}

/** What the report itself says, without the mail that it returns. */
function wordsOf(parts: readonly MailPart[]): string {
  const texts = parts.filter(
    ({ type }) => /^text\/(plain|html)$/.test(type) || type.startsWith('multipart/'),
  );
  const words = texts
    .slice(0, 3)
    .map(({ type, text }) => (type === 'text/html' ? text.replace(/<[^>]*>/g, ' ') : text))
    .join('\n');
  const returned = words.search(
    /^[ >]*(-{3,}.*(original|copy|returned|below|message|body|undelivered).*|(original message|returned message|included is|below (this line|is a copy)).*|return-path:.*|received:.*|message-id:.*|-+ ?this is a copy.*)$/im,
  );
  return returned > 20 ? words.slice(0, returned) : words;
}

/** Fields of a status in a text: some servers send no part of its own. */
function embeddedStatus(parts: readonly MailPart[]): MailPart | null {
  return (
    parts.find(
      ({ type, text }) =>
        !type.startsWith('message/rfc822') &&
        /^(final|original)-recipient:/im.test(text) &&
        /^status:/im.test(text),
    ) ?? null
  );
}

function bounceOf(status: MailPart | null, words: string): Report {
  const blocks = (status?.text ?? '').split(/\n\s*\n/).map(headersOf);
  const recipient =
    blocks.find(
      (block) => block.has('status') && (block.has('final-recipient') || block.has('original-recipient')),
    ) ?? blocks.find((block) => block.has('status'));
  const action = recipient?.get('action')?.toLowerCase() ?? '';
  if (/^(delayed|delivered|relayed|expanded)/.test(action)) return { kind: 'none' };
  const code = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(recipient?.get('status') ?? '')?.[0] ?? '';
  const diagnostic = recipient?.get('diagnostic-code') ?? '';
  const said = diagnostic.replace(/^[\w-]+;\s*/, '');
  const smtp = Number(/\b([45]\d\d)[ -]/.exec(said)?.[1] ?? 0);
  if (said.length > 8) {
    const refusal = refusalOf(smtp, said, code);
    if (refusal.kind !== 'other' || refusal.status !== '') return { kind: 'bounce', refusal };
  }
  const inWords = Number(/\b([45]\d\d)[ -]/.exec(words)?.[1] ?? 0);
  return { kind: 'bounce', refusal: refusalOf(inWords, words.slice(0, 4_000), code) };
}
