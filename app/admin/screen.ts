import type { App } from '#app/app.ts';
import type { SessionUser } from '#app/auth/sessions.server.ts';
import type { Metrics } from '#app/operations/metrics.server.ts';
import type { FieldErrors } from '#app/platform/errors.ts';

/** What the adminContext around every screen shows. */
export interface AdminContext {
  adminPath: string;
  siteTitle: string;
  /** IANA name; every time in the backend is entered and shown in it. */
  timeZone: string;
  /** BCP 47. */
  language: string;
  user: { id: string; displayName: string; role: string } | null;
  /** Ids of the screens that this user may enter. */
  screens: string[];
  /** A form that came after its session had ended, packed; every form of the login carries it. */
  held?: string;
}

/** What a screen's loader and action get. */
export interface ScreenArguments<User extends SessionUser | null = SessionUser> {
  app: App;
  request: Request;
  /** Parameters of the screen's pattern, decoded. */
  params: Record<string, string | undefined>;
  user: User;
  adminContext: AdminContext;
  /** The client's address as the trusted proxies tell it. */
  address: string;
  /** Absent under stock `remix-serve`. */
  metrics?: Pick<Metrics, 'countLogin'>;
}

/**
 * An action's answer that shows the same screen again. Redirects are returned as a `Response`;
 * expected failures are thrown as `AppError` and become `errors` with their status.
 */
export interface ActionResult {
  status?: number;
  message?: string;
  errors?: FieldErrors;
  /** What was typed, so that nothing is lost. */
  values?: Record<string, string>;
  /** The screen's data where its loader has nothing to load any more. */
  page?: object;
  [extra: string]: unknown;
}

/** The server half of a screen. */
export interface ScreenModule {
  load(args: ScreenArguments): Promise<object | Response>;
  act?(args: ScreenArguments): Promise<ActionResult | Response>;
}

/** The server half of a screen that everybody may enter. */
export interface OpenScreenModule {
  load(args: ScreenArguments<SessionUser | null>): Promise<object | Response>;
  act?(args: ScreenArguments<SessionUser | null>): Promise<ActionResult | Response>;
}

/** What the browser half of a screen gets. */
export interface ViewProps<Load extends (...args: never[]) => Promise<unknown>> {
  data: Exclude<Awaited<ReturnType<Load>>, Response>;
  result: ActionResult | undefined;
  adminContext: AdminContext;
}
