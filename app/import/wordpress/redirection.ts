import { parse as parseCsv } from 'csv-parse/sync';
import * as z from 'zod';
import { oldAddress, type ReadRedirects } from '#app/import/addresses/old-address.ts';
import { type AppError, invalidInput } from '#app/platform/errors.ts';
import { hostOf } from '#app/platform/http/paths.ts';

const rule = z.object({
  url: z.string(),
  action_type: z.string().default('url'),
  action_data: z.union([z.object({ url: z.string() }), z.string(), z.null()]).catch(null),
  regex: z.union([z.boolean(), z.number(), z.string()]).default(false),
  enabled: z.boolean().default(true),
});
const exported = z.object({ redirects: z.array(z.unknown()) });

interface Rule {
  from: string;
  to: string;
  isPattern: boolean;
}

/**
 * Reads an export of the plug-in Redirection, JSON or CSV.
 * @param blogUrl redirects to other sites are left out
 * @throws AppError `invalid_input` for anything else
 */
export function readRedirection(text: string, blogUrl: string): ReadRedirects {
  const byTarget = new Map<string, string[]>();
  const leftOut: string[] = [];
  for (const { from, to, isPattern } of /^\s*\{/.test(text) ? jsonRules(text) : csvRules(text)) {
    const path = isPattern || from.includes('?') ? null : oldAddress(from);
    const target = isOwn(to, blogUrl) ? oldAddress(to) : null;
    if (path === null || target === null || path === target)
      leftOut.push(`The redirect from ${from} to ${to} is no plain path of the site and was left out.`);
    else byTarget.set(target, [...(byTarget.get(target) ?? []), path]);
  }
  return { byTarget, leftOut };
}

function jsonRules(text: string): Rule[] {
  try {
    return exported.parse(JSON.parse(text)).redirects.flatMap((value): Rule[] => {
      const read = rule.safeParse(value);
      if (!read.success || !read.data.enabled || read.data.action_type !== 'url') return [];
      const { url, action_data: data, regex } = read.data;
      const to = typeof data === 'string' ? data : (data?.url ?? '');
      return [{ from: url, to, isPattern: isYes(regex) }];
    });
  } catch (error) {
    throw notRedirects(error);
  }
}

function csvRules(text: string): Rule[] {
  let rows: Record<string, string>[];
  try {
    rows = parseCsv(text, {
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    throw notRedirects(error);
  }
  if (rows.length > 0 && !(rows[0]!.source !== undefined && rows[0]!.target !== undefined))
    throw notRedirects();
  return rows.flatMap(({ source = '', target = '', regex = '', status = '' }) =>
    status === 'disabled' ? [] : [{ from: source, to: target, isPattern: isYes(regex) }],
  );
}

function isYes(value: boolean | number | string): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

function isOwn(address: string, blogUrl: string): boolean {
  if (!/^(https?:)?\/\//i.test(address)) return address.startsWith('/');
  const host = (url: string) => (URL.canParse(url) ? hostOf(new URL(url)) : '');
  return host(address.replace(/^\/\//, 'https://')) === host(blogUrl);
}

function notRedirects(cause?: unknown): AppError {
  return invalidInput(
    'This is not an export of the plug-in Redirection: JSON with redirects, or CSV with source and target.',
    cause,
  );
}
