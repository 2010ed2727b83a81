import type { ShownSubmission } from './frame/pending-submission.ts';
import type { ActionResult, ResultOf } from './frame/screen.ts';
import type { Screen } from './screens.server.ts';

type ModuleOf<Id extends Screen['id']> = Awaited<ReturnType<Extract<Screen, { id: Id }>['module']>>;

/** Ids of the pages that the backend shows. `resume` is shown at the end of a login and has no address. */
export type PageId = Screen['id'] | 'resume';

/** The data of a page, typed by its loader. */
export type ScreenData<Id extends PageId> = Id extends Screen['id']
  ? Exclude<Awaited<ReturnType<ModuleOf<Id>['load']>>, Response>
  : ShownSubmission;

/** The result of a page's action, which the page shows besides its data. */
export type ScreenResult<Id extends PageId> = Id extends Screen['id']
  ? ResultOf<ActOf<ModuleOf<Id>>>
  : ActionResult;

type ActOf<Module> = Module extends { act: infer Act } ? Act : () => Promise<ActionResult>;
