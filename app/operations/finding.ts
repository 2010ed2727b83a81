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
