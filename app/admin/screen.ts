import type { App } from '#app/app.ts';
import type { SessionUser } from '#app/auth/sessions.server.ts';
import type { Metrics } from '#app/operations/metrics.server.ts';
import type { RenderSiteView } from '#app/site/site-view.ts';
import type { FieldErrors } from '#app/platform/errors.ts';
import type { SubmittedForm } from './submitted-form.ts';

/** What every screen shows besides its own data. */
export interface AdminContext {
  adminPath: string;
  siteTitle: string;
  /** IANA name; every time in the backend is entered and shown in it. */
  timeZone: string;
  /** BCP 47. */
  language: string;
  user: { id: string; displayName: string; role: string } | null;
  /** Ids of the screens that this user may open. */
  screens: string[];
  /** The form that was sent after its session had ended; `lost` when it was too large to keep. */
  pending?: { packed: string } | 'lost';
}

/** What a screen's loader gets. `User`: null is possible on screens that need no login. */
export interface ScreenArguments<User extends SessionUser | null = SessionUser> {
  app: App;
  request: Request;
  /** Parameters of the screen's pattern. */
  params: Record<string, string | undefined>;
  user: User;
  adminContext: AdminContext;
  /** The client's address, as the trusted proxies report it. */
  address: string;
  /** Renders public pages within the backend. Absent under stock `remix-serve`. */
  renderSiteView?: RenderSiteView;
  /** Lets the backend show the answer in a frame. */
  allowOwnFrames?: () => void;
  /** Absent under stock `remix-serve`. */
  metrics?: Pick<Metrics, 'countLogin'>;
}

/** What a screen's action gets: the framework has read the form, within the screen's limits. */
export interface ActionArguments<
  User extends SessionUser | null = SessionUser,
> extends ScreenArguments<User> {
  form: SubmittedForm;
}

/** The outcome of an action that succeeded and leads to a page. A script gets it as JSON, a browser as a redirect. */
export interface Done {
  location: string;
  /** What was saved. */
  id?: string;
  version?: number;
  /** A post's state. */
  status?: string;
  /** `Set-Cookie` headers. */
  cookies?: string[];
}

/** What the database holds while somebody saves an older version. */
export interface CurrentVersion {
  fields: Record<string, string>;
  version: number;
  editedBy: string | null;
  updatedAt: Date;
}

/**
 * The outcome of an action that shows the same screen again, with what `Shown` names. Expected failures are thrown
 * as `AppError`; the framework turns them into such a result, with the values that were sent.
 */
export type ActionResult<Shown extends object = object> = {
  /** HTTP status, 200 when absent. */
  status?: number;
  message?: string;
  errors?: FieldErrors;
  values?: Readonly<Record<string, string>>;
  /** The screen that shows it, by its path below the admin path, where the action's own cannot be loaded any more. */
  screen?: string;
  /** Of a 409: what a script gets beside the message. */
  current?: CurrentVersion;
  /** Seconds after which another try makes sense. */
  retryAfter?: number;
} & Partial<Shown>;

/** The server half of a screen. A `Response` is sent as it is. */
export interface ScreenModule<User extends SessionUser | null = SessionUser> {
  load(args: ScreenArguments<User>): Promise<object>;
  act?(args: ActionArguments<User>): Promise<Done | ActionResult | Response>;
}

export type Async = (...args: never[]) => Promise<unknown>;

/** What the browser half of a screen gets, typed by its loader and its action. */
export interface ViewProps<Load extends Async, Act extends Async = () => Promise<ActionResult>> {
  data: Exclude<Awaited<ReturnType<Load>>, Response>;
  result: ResultOf<Act> | undefined;
  adminContext: AdminContext;
}

/** What an action shows: everything that it returns but redirects and responses. */
export type ResultOf<Act> = Act extends Async
  ? Exclude<Awaited<ReturnType<Act>>, Response | Done> extends infer Result
    ? [Result] extends [never]
      ? ActionResult
      : Result
    : never
  : never;
