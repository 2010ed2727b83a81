import { refusalOf, type Refusal } from '#app/newsletter/refusal.ts';

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

/** A part of a mail: its type and its content, decoded. */
interface MailPart {
  type: string;
  /** Headers by their names in lower case; of two with one name the first. */
  headers: ReadonlyMap<string, string>;
  text: string;
}

const PARTS_MAX = 50;

/**
 * The parts of a mail in their order, with those of forwarded mails. Reports are often malformed, so anything that cannot
 * be read is taken as text.
 */
function partsOf(raw: string): MailPart[] {
  const parts: MailPart[] = [];
  collect(raw.replace(/\r\n?/g, '\n'), parts, 0);
  return parts;
}

function collect(raw: string, parts: MailPart[], depth: number): void {
  if (parts.length >= PARTS_MAX || depth > 8) return;
  const end = raw.search(/\n\n/);
  const head = end === -1 ? raw : raw.slice(0, end);
  const body = end === -1 ? '' : raw.slice(end + 2);
  const headers = headersOf(head);
  const declared = headers.get('content-type') ?? 'text/plain';
  const type = declared.split(';')[0]!.trim().toLowerCase();
  const boundary = /boundary="?([^";\n]+)"?/i.exec(declared)?.[1]?.trim();
  if (type.startsWith('multipart/') && boundary) {
    const chunks = body.split(`--${boundary}`);
    for (const chunk of chunks.slice(1))
      if (!chunk.startsWith('--')) collect(chunk.replace(/^[ \t]*\n/, ''), parts, depth + 1);
    if (depth === 0) parts.unshift({ type, headers, text: chunks[0] ?? '' });
    return;
  }
  const text = decodedBody(body, headers.get('content-transfer-encoding') ?? '');
  parts.push({ type, headers, text });
  if (type === 'message/rfc822' || type === 'message/global') collect(text, parts, depth + 1);
}

/** Reads header lines, unfolded. */
function headersOf(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value] = /^([!-9;-~]+):\s*(.*)$/.exec(line) ?? [];
    if (name && !headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value!.trim());
  }
  return headers;
}

function decodedBody(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(encoding)) return body;
  const bytes = body
    .replace(/=[ \t]*\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_match, code: string) => String.fromCharCode(parseInt(code, 16)));
  return bytes;
}
