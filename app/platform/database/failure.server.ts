import { AppError, isAppError, messageOf, invalidInput } from '#app/platform/errors.ts';

// SQLSTATE: connection lost, no room, shutting down, no access, no such database or table, read-only, damaged; a time
// limit of the database, a lock or another transaction that is in the way.
const postgres = /^(08...|53...|57P0.|58...|28...|3D000|42P01|25006|XX00.|57014|25P0[34]|55P03|40001|40P01)$/;
const sqlite = /^SQLITE_(BUSY|LOCKED|CANTOPEN|IOERR|FULL|CORRUPT|NOTADB|READONLY|PROTOCOL|NOMEM)/;
const system =
  /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOSPC|EDQUOT|EROFS|EIO|EACCES|EPERM|EMFILE|ENFILE)$/;
// Prisma: no connection, time-outs, missing tables or columns (not migrated), another transaction in the way, too many
// connections.
const prisma = /^P(10\d\d|2021|2022|2024|2028|2034|2037)$/;
// The adapters' names for the same failures.
const kinds =
  /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TlsConnectionError|TooManyConnections|DatabaseDoesNotExist|DatabaseAccessDenied|AuthenticationFailed|TableDoesNotExist|ColumnNotFound)$/;
// Failures without a code of their own: node-postgres has none for time-outs and lost connections, and SQLite calls a
// missing table SQLITE_ERROR, like any mistake in a statement.
const messages =
  /Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|no such table: /;

/**
 * The reason for an outage, on one line, for the log: the database is away, hangs or is not migrated, or the disk is
 * full. Null for any other failure: waiting would not help.
 */
export function outageReason(error: unknown): string | null {
  if (isAppError(error)) return error.cause === undefined ? null : outageReason(error.cause);
  return causeChain(error).some(isOutage) ? databaseReason(error) : null;
}

// SQLITE_FULL, READONLY and IOERR; PostgreSQL's disk full, read-only transaction and input/output error.
const writeRefusals = /^(SQLITE_(FULL|READONLY|IOERR).*|53100|25006|58030|ENOSPC|EDQUOT|EROFS|EIO)$/;

/** True for a write that failed because the disk is full or the database is read-only. */
export function isWriteRefusal(error: unknown): boolean {
  return causeChain(error).some((link) => codesOf(link).some((code) => writeRefusals.test(code)));
}

/** An outage as an error with a message for people; any other error unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (isAppError(error) || outageReason(error) === null) return error;
  const message = isWriteRefusal(error)
    ? 'Nothing can be saved at the moment: the database’s disk is full or read-only. Tell the operator of this site.'
    : 'The site cannot save or read anything at the moment. Please try again soon.';
  return new AppError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS, cause: error });
}

/** PostgreSQL's refusal of a text with a NUL character as an error with a message for people; any other unchanged. */
export function asUnstorable(error: unknown): unknown {
  if (isAppError(error) || !causeChain(error).some((link) => codesOf(link).includes('22021'))) return error;
  return invalidInput('The form contains characters that cannot be stored.', error);
}

/** Seconds until the next try. Short, since an outage ends without notice and an answer costs little. */
export const RETRY_AFTER_SECONDS = 10;

/** The database's own message about its failure, on one line and without the query that Prisma puts before it. */
export function databaseReason(error: unknown): string {
  const { meta, cause } = error as {
    meta?: { driverAdapterError?: { cause?: { originalMessage?: unknown } } };
    cause?: { originalMessage?: unknown };
  };
  const original = (meta?.driverAdapterError?.cause ?? cause)?.originalMessage;
  if (typeof original === 'string' && original !== '') return messageOf(original);
  return messageOf(error)
    .replace(/^Invalid `[^`]*` invocation: ?/, '')
    .replace(/^Raw query failed\. Code: `[^`]*`\. Message: `(.*)`$/, '$1');
}

/** The error for an operator when the database cannot be used. */
export function databaseFailure(error: unknown): AppError {
  const advice = isOfFile(error)
    ? '. Check that it is a file, and that this user may write it and its folder.'
    : isOfAddress(error)
      ? '. Encode the signs of its user and password that have a meaning in addresses: # is %23, / is %2F, ? is %3F.'
      : '';
  return new AppError('unavailable', databaseProblem(error) + advice, { cause: error });
}

/** The same without what to do about it. */
export const databaseProblem = (error: unknown): string =>
  `The database named by DATABASE_URL cannot be used: ${databaseReason(error)}`;

/** PostgreSQL's refusal of a change of tables, with what to do about it; any other error unchanged. */
export function asMissingRights(error: unknown): unknown {
  if (!causeChain(error).some((link) => codesOf(link).includes('42501'))) return error;
  const advice = 'Make the user of DATABASE_URL the owner of the database and of what is in it.';
  return new AppError('unavailable', `${databaseProblem(error)}. ${advice}`, { cause: error });
}

/** True if SQLite may not open or write its file: it does not say that the user lacks rights. */
function isOfFile(error: unknown): boolean {
  return causeChain(error).some((link) =>
    codesOf(link).some((code) => /^SQLITE_(CANTOPEN|READONLY)/.test(code)),
  );
}

/** True if `DATABASE_URL` is no address, as with a password that holds a sign such as `#`. */
function isOfAddress(error: unknown): boolean {
  return causeChain(error).some((link) => codesOf(link).includes('ERR_INVALID_URL'));
}

/** A failure of the database in the middle of a command as `databaseFailure`; any other error unchanged. */
export function asDatabaseFailure(error: unknown): unknown {
  // An error of the system about a file names that file.
  if (isAppError(error) || (error as { syscall?: unknown }).syscall !== undefined) return error;
  return outageReason(error) === null ? error : databaseFailure(error);
}

function isOutage(link: object): boolean {
  const hasCode = codesOf(link).some((code) =>
    [postgres, sqlite, system, prisma, kinds].some((codes) => codes.test(code)),
  );
  return hasCode || (link instanceof Error && messages.test(messageOf(link)));
}

function codesOf(link: object): string[] {
  const { code, originalCode, kind } = link as Record<'code' | 'originalCode' | 'kind', unknown>;
  return [code, originalCode, kind].filter((value) => typeof value === 'string');
}

/** An error and its causes, also those that Prisma and the driver store in fields of their own. */
function causeChain(error: unknown, depth = 0): object[] {
  if (typeof error !== 'object' || error === null || depth > 6) return [];
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return [error, ...causeChain(cause, depth + 1), ...causeChain(meta?.driverAdapterError, depth + 1)];
}
