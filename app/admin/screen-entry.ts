import type { Role } from '#app/people/roles.ts';
import type { SessionUser } from '#app/people/sessions/sessions.server.ts';
import type { FormLimits } from './frame/form-limits.ts';
import type { ScreenModule } from './frame/screen.ts';

/** What every entry of the screen table contains. */
export interface ScreenEntry {
  id: string;
  /** A React Router pattern below the admin path. The first entry that matches is used. */
  pattern: string;
  title: string;
  /** Limits of the screen's form; `formLimits` when absent. Forms without a login have other limits. */
  limits?: FormLimits;
  /** True for a form that takes files. The action reads the body itself. */
  files?: true;
}

/** An entry of the screen table: open to everybody, or to roles. */
export type Entry =
  | (ScreenEntry & { access: 'everybody'; module: () => Promise<Required<ScreenModule<SessionUser | null>>> })
  | (ScreenEntry & { access: readonly Role[]; module: () => Promise<ScreenModule> });
