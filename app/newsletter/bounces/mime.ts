/** A part of a mail: its type and its content, decoded. */
export interface MailPart {
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
export function partsOf(raw: string): MailPart[] {
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
export function headersOf(head: string): Map<string, string> {
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
