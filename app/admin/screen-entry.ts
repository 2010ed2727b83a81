import type { Role } from '#app/auth/roles.ts';
import type { SessionUser } from '#app/auth/sessions.server.ts';
import type { FormLimits } from './form-limits.ts';
import type { ScreenModule } from './screen.ts';

/** What every entry of the screen table says. */
export interface ScreenEntry {
  id: string;
  /** Below the admin path, as React Router writes patterns; the first that matches wins. */
  pattern: string;
  title: string;
  /** What its form may be at most; `formLimits` when absent. Forms open to everybody have limits of their own. */
  limits?: FormLimits;
  /** True for a form that takes files; its action reads them itself. */
  files?: true;
}

/** An entry of the screen table: open to everybody, or to roles. */
export type Entry =
  | (ScreenEntry & { access: 'everybody'; module: () => Promise<Required<ScreenModule<SessionUser | null>>> })
  | (ScreenEntry & { access: readonly Role[]; module: () => Promise<ScreenModule> });
