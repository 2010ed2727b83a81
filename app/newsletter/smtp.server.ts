import { once } from 'node:events';
import { domainToASCII } from 'node:url';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailServer } from '#app/people/mail.server.ts';

/** Servers that scan a mail answer late: a shorter wait would send it twice. */
const ANSWER_MS = 40_000;

type Step = 'connection' | 'login' | 'sender' | 'recipient' | 'data' | 'lost';

/** Why a mail was not accepted. */
export class SmtpFailure extends Error {
  constructor(
    readonly step: Step,
    /** Of SMTP; 0: no answer. */
    readonly code: number,
    /** The server's words. */
    readonly words: string,
  ) {
    super(words);
  }
}

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  command?: string;
  rejectedErrors?: SmtpError[];
}

/** A connection that is kept for many mails, which go one after the other. */
export class SmtpSession {
  /** Mails that the server accepted on this connection. */
  accepted = 0;
  isOpen = true;
  private readonly lost: Promise<never>;

  private constructor(private readonly connection: SMTPConnection) {
    this.lost = new Promise((_, reject) => {
      const end = (error?: SmtpError) => {
        this.isOpen = false;
        reject(failureOf(error, 'lost'));
      };
      connection.on('error', end);
      connection.on('end', () => end());
    });
    this.lost.catch(() => {});
  }

  /** @throws SmtpFailure */
  static async open({ auth, ...server }: MailServer): Promise<SmtpSession> {
    const connection = new SMTPConnection({ ...server, socketTimeout: ANSWER_MS });
    const session = new SmtpSession(connection);
    const connected = once(connection, 'connect');
    connected.catch(() => {});
    connection.connect();
    try {
      await Promise.race([connected, session.lost]);
    } catch (error) {
      throw failureOf(error as SmtpError, 'connection');
    }
    if (auth)
      await session
        .step('login', (done) => connection.login({ credentials: auth }, done))
        .catch((error) => {
          session.close();
          throw error;
        });
    return session;
  }

  /** Sends one mail to one address. @throws SmtpFailure */
  async send(from: string, to: string, message: Buffer): Promise<void> {
    // Not every server takes a domain with other signs.
    const [local, domain = ''] = to.split('@');
    const address = `${local}@${domainToASCII(domain) || domain}`;
    await this.step('data', (done) =>
      this.connection.send({ from, to: address, size: message.length }, message, done),
    );
    this.accepted += 1;
  }

  /** Makes the connection ready for the next mail after a refusal. */
  async reset(): Promise<void> {
    if (!this.isOpen) return;
    await this.step('sender', (done) => this.connection.reset(done)).catch(() => this.close());
  }

  close(): void {
    if (this.isOpen) this.connection.quit();
    this.isOpen = false;
  }

  private async step(step: Step, run: (done: (error?: Error | null) => void) => void): Promise<void> {
    if (!this.isOpen) throw new SmtpFailure('lost', 0, 'No answer from the mail server.');
    const answered = new Promise<void>((resolve, reject) =>
      run((error) => (error ? reject(failureOf(error, step)) : resolve())),
    );
    answered.catch(() => {});
    await Promise.race([answered, this.lost]);
  }
}

function failureOf(error: SmtpError | SmtpFailure | undefined, step: Step): SmtpFailure {
  if (error instanceof SmtpFailure)
    return step === 'connection' ? new SmtpFailure(step, error.code, error.words) : error;
  const cause = error?.rejectedErrors?.[0] ?? error;
  const words = cause?.response ?? cause?.message ?? 'No answer from the mail server.';
  const code = cause?.responseCode ?? 0;
  return new SmtpFailure(stepOf(cause ?? error, code, step), code, words);
}

function stepOf(error: SmtpError | undefined, code: number, step: Step): Step {
  if (step !== 'data') return step;
  // 421 closes the connection, whatever was asked.
  if (code === 0 || code === 421) return 'lost';
  const command = error?.command ?? '';
  return command.startsWith('RCPT') ? 'recipient' : command.startsWith('MAIL') ? 'sender' : 'data';
}
