import { inEnglish, type Message } from './message.ts';

/**
 * The one list of expected failures: code → HTTP status. The code throws them; only a route or a
 * command translates them into a response or an exit code.
 */
export const errorStatus = {
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal: 500,
  not_configured: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Field name → messages in the user's words. */
export type FieldErrors = Record<string, Message[]>;

// The web server and the Remix build are two bundles with two copies of this class, so `instanceof` fails across
// them; the brand works.
const brand = Symbol.for('dateline.error');

/** An expected failure with a message for people. */
export class AppError extends Error {
  readonly [brand] = true;
  readonly code: ErrorCode;
  /** The message with its values apart, as a screen shows it; `message` is the English sentence. */
  readonly said: Message;
  readonly fields: FieldErrors;
  /** Seconds after which the caller may try again; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** Tells failures of one code apart, for scripts. The message is for people, and may change. */
  readonly reason?: string;

  constructor(
    code: ErrorCode,
    message: Message,
    options: { fields?: FieldErrors; retryAfter?: number; reason?: string; cause?: unknown } = {},
  ) {
    super(inEnglish(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.said = message;
    this.fields = options.fields ?? {};
    this.retryAfter = options.retryAfter;
    this.reason = options.reason;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** Input that cannot be used. @param cause the error behind it */
export function invalidInput(message: Message, cause?: unknown): AppError {
  return new AppError('invalid_input', message, { cause });
}

/** Wrong input in one field of a form. */
export function fieldError(field: string, message: Message): AppError {
  return new AppError('invalid_input', message, { fields: { [field]: [message] } });
}

/** True for an `AppError` of either bundle. */
export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** The message of anything that was thrown, on one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** The code of an error that Node, a driver or SQLite has thrown, such as `ENOENT`; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Converts a full disk or quota to an error that names the folder. Returns any other error unchanged. */
export function asFullDisk(error: unknown, folder: string): unknown {
  const code = codeOf((isAppError(error) && error.cause) || error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  const message = `There is no room left in ${folder} (${code}). Make room there, and run it again; nothing half-written is left.`;
  return new AppError('unavailable', message, { cause: error });
}
