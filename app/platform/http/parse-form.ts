import type * as z from 'zod';
import { AppError, type FieldErrors } from '#app/platform/errors.ts';
import { messageOfIssue } from '#app/platform/message.ts';

/**
 * Reads a submitted form through its schema.
 * @throws AppError `invalid_input` with an error beside each wrong field.
 */
export function parseForm<Schema extends z.ZodType>(
  schema: Schema,
  values: Record<string, unknown>,
): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const fields: FieldErrors = {};
  for (const issue of parsed.error.issues) (fields[String(issue.path[0])] ??= []).push(messageOfIssue(issue));
  throw new AppError('invalid_input', 'There is a problem with some fields.', { fields });
}
