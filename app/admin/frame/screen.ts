import type { App } from '#app/app.ts';
import type { Metrics } from '#app/operations/metrics.server.ts';
import type { SessionUser } from '#app/people/sessions/sessions.server.ts';
import { AppError, type FieldErrors } from '#app/platform/errors.ts';
import type { Message } from '#app/platform/message.ts';
import type { RenderSiteView } from '#app/site/shell/site-view.ts';
import type { IconName } from '#app/ui/icon.tsx';

/** The text fields of a form, in the order in which they were sent. */
export class SubmittedForm {
  readonly entries: readonly (readonly [name: string, value: string])[];
  /** The value of each name; the last one of a repeated name. */
  readonly values: Readonly<Record<string, string>>;
  /** True if the form had files, which are not kept. */
  readonly hadFiles: boolean;

  constructor(entries: readonly (readonly [name: string, value: string])[], { hadFiles = false } = {}) {
    this.entries = entries;
    this.values = Object.fromEntries(entries);
    this.hadFiles = hadFiles;
  }

  /** Every value of a name that may be repeated. */
  all(name: string): string[] {
    return this.entries.flatMap(([key, value]) => (key === name ? [value] : []));
  }
}

/** Limits of a submitted form. The screen table names the screens with larger limits. */
export interface FormLimits {
  /** Limit of the body as it is sent. Percent-encoding turns one byte into up to three. */
  bytes: number;
  fields: number;
}

const KB = 1024;

/** Forms that need no login. */
export const openFormLimits: FormLimits = { bytes: 64 * KB, fields: 50 };

/** Forms of logged-in users. The largest setting has room for 20,000 characters of 4 bytes. */
export const formLimits: FormLimits = { bytes: 256 * KB, fields: 200 };

/** The post form: a percent-encoded text of 2 MB, and the other fields. */
export const postFormLimits: FormLimits = { bytes: 3 * 2 * KB * KB + 512 * KB, fields: 200 };

/** 200 chosen posts, each with the version that the page showed. */
export const bulkFormLimits: FormLimits = { bytes: 256 * KB, fields: 450 };

/** A release: its fields, and the posts that it may contain. */
export const releaseFormLimits: FormLimits = { bytes: 256 * KB, fields: 1_020 };

/** A login form that contains a pending submission. */
export const pendingLimits: FormLimits = { bytes: 2 * KB * KB, fields: 450 };

/** The place of a screen in the menu: its group and icon, and its address unless that is the pattern. */
export interface MenuPlace {
  group: 1 | 2 | 3;
  icon: IconName;
  path?: string;
}

export interface MenuEntry {
  title: string;
  icon: IconName;
  /** Of its address, below the admin path. */
  segments: string[];
  /** Ids of the screens on which it is marked as the current one. */
  screens: string[];
}

/** What every screen shows besides its own data. */
export interface AdminContext {
  adminPath: string;
  siteTitle: string;
  /** The site's public address, without a slash at its end. */
  siteUrl: string;
  /** When the page was put together. */
  now: Date;
  /** IANA name of the zone of all times in the backend. */
  timeZone: string;
  /** BCP 47. */
  language: string;
  user: { id: string; displayName: string; role: string } | null;
  /** Ids of the screens that this user may open. */
  screens: string[];
  menu: MenuEntry[][];
  /** The pending submission; `lost` if it was too large or had files. */
  pending?: { packed: string } | 'lost';
}

/** The arguments of a screen's loader. `User` may be null on screens that need no login. */
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
  /** Allows the backend to show the response in a frame. */
  allowOwnFrames?: () => void;
  /** Allows the response to show a mail, with its styles. */
  allowMail?: () => void;
  /** Absent under stock `remix-serve`. */
  metrics?: Pick<Metrics, 'countLogin'>;
}

/** The arguments of a screen's action, with the form, which was read within the screen's limits. */
export interface ActionArguments<
  User extends SessionUser | null = SessionUser,
> extends ScreenArguments<User> {
  form: SubmittedForm;
}

/** The outcome of a successful action that leads to a page. A script gets it as JSON, a browser as a redirect. */
export interface Done {
  location: string;
  /** Id of the saved thing. */
  id?: string;
  version?: number;
  /** A post's state. */
  status?: string;
  /** The text version that the form shows after a save to a release. */
  releaseText?: string;
  /** `Set-Cookie` headers. */
  cookies?: string[];
}

/** The current version of a post, when somebody tries to save an older one. */
export interface CurrentVersion {
  fields: Record<string, string>;
  version: number;
  editedBy: string | null;
  updatedAt: Date;
  /** For a text in a release: its text version. */
  releaseText?: string;
  /** For a live text that changes what the scheduled update changes, too: the text of that. */
  scheduled?: { fields: Record<string, string>; changeAt: Date };
}

/**
 * The outcome of an action that shows the same screen again, with the values of `Shown`. Actions throw expected
 * failures as `AppError`; the dispatcher turns them into such a result with the submitted values.
 */
export type ActionResult<Shown extends object = object> = {
  /** HTTP status, 200 when absent. */
  status?: number;
  message?: Message;
  errors?: FieldErrors;
  values?: Readonly<Record<string, string>>;
  /** The path, below the admin path, of another screen that shows the result. */
  screen?: string;
  /** For a 409: the current version, which a script gets with the message. */
  current?: CurrentVersion;
  /** Seconds to wait before another try. */
  retryAfter?: number;
} & Partial<Shown>;

/** The server half of a screen. A `Response` of a function is sent unchanged. */
export interface ScreenModule<User extends SessionUser | null = SessionUser> {
  load(args: ScreenArguments<User>): Promise<object>;
  act?(args: ActionArguments<User>): Promise<Done | ActionResult | Response>;
}

/** The props of a view that several loaders have in common. */
export interface PageProps<Data> {
  data: Data;
  result: ActionResult | undefined;
  adminContext: AdminContext;
}

type Async = (...args: never[]) => Promise<unknown>;

/** The props of a screen's view, typed by the screen's loader and action. */
export interface ViewProps<Load extends Async, Act extends Async = () => Promise<ActionResult>> {
  data: Exclude<Awaited<ReturnType<Load>>, Response>;
  result: ResultOf<Act> | undefined;
  adminContext: AdminContext;
}

/** The results of an action that a view shows: all but redirects and responses. */
export type ResultOf<Act> = Act extends Async
  ? Exclude<Awaited<ReturnType<Act>>, Response | Done> extends infer Result
    ? [Result] extends [never]
      ? ActionResult
      : Result
    : never
  : never;

/** The answer to a form whose `intent` none of its buttons sends. */
export function unknownIntent(): AppError {
  return new AppError('invalid_input', 'This action is unknown. Use one of the buttons.');
}
