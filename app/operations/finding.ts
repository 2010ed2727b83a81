/** The result of one check of `doctor`. The message says what was found and what to do. */
export interface Finding {
  status: 'ok' | 'warning' | 'problem';
  message: string;
}

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const warning = (message: string): Finding => ({ status: 'warning', message });
export const problem = (message: string): Finding => ({ status: 'problem', message });

/** @param first the check whose problem is in the way */
export const notChecked = (first: string) => problem(`Not checked: mend the problem of “${first}” first.`);

/** Several findings of one check as one: the worst status, and every message but those that all is well. */
export function combined(findings: readonly Finding[], otherwise: Finding): Finding {
  const found = findings.filter(({ status }) => status !== 'ok');
  if (found.length === 0) return otherwise;
  const isProblem = found.some(({ status }) => status === 'problem');
  const message = [...new Set(found.map((finding) => finding.message))].join(' ');
  return isProblem ? problem(message) : warning(message);
}
