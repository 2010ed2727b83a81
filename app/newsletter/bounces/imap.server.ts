import type { ImapFlow } from 'imapflow';

const ANSWER_MS = 10_000;
/** Of each mail so much is read. */
export const MESSAGE_BYTES = 1_000_000;

interface ImapServer {
  host: string;
  port: number;
  user: string;
  pass: string;
}

/**
 * Passes mails of the inbox that nobody has read to `handle`, at most `max`. Each is marked as read once it is handled.
 * @throws an error with the server's words
 */
export async function readUnseen(
  server: ImapServer,
  max: number,
  handle: (raw: string) => Promise<unknown>,
): Promise<void> {
  const client = await clientFor(server);
  // Of a broken connection, the command in progress only says that there is none.
  let failure: Error | undefined;
  client.on('error', (error) => (failure ??= error));
  try {
    await client.connect();
    await client.mailboxOpen('INBOX');
    const unseen = await client.search({ seen: false }, { uid: true });
    if (!unseen) throw new Error('The IMAP server did not search the inbox.');
    for (const id of unseen.slice(0, max)) {
      const uid = String(id);
      const mail = await client.fetchOne(uid, { source: { maxLength: MESSAGE_BYTES } }, { uid: true });
      // Somebody deleted it meanwhile.
      if (!mail || !mail.source) continue;
      await handle(mail.source.toString('latin1'));
      const isMarked = await client.messageFlagsAdd(uid, ['\\Seen'], { uid: true, silent: true });
      if (!isMarked) throw failure ?? new Error('The IMAP server did not mark a mail as read.');
    }
  } catch (error) {
    const { responseText } = error as { responseText?: string };
    throw responseText ? new Error(responseText.slice(0, 300), { cause: error }) : (failure ?? error);
  } finally {
    client.close();
  }
}

async function clientFor({ host, port, user, pass }: ImapServer): Promise<ImapFlow> {
  // Few sites have a bounce mailbox; the others need not load the client.
  const { ImapFlow } = await import('imapflow');
  const secure = port === 993;
  const isLocal = /^(localhost|127\.[\d.]+|::1)$/.test(host);
  return new ImapFlow({
    host,
    port,
    secure,
    // A password leaves this host only within TLS.
    doSTARTTLS: !secure && !isLocal,
    auth: { user, pass },
    logger: false,
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableCompression: true,
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    maxLiteralSize: 2 * MESSAGE_BYTES,
    maxResponseSize: 2 * MESSAGE_BYTES + 10_000,
  });
}
