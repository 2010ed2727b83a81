import type { PendingSubmission } from './pending-submission.ts';
import type { ActionResult, ResultOf } from './screen.ts';
import type { Screen } from './screens.server.ts';

type ModuleOf<Id extends Screen['id']> = Awaited<ReturnType<Extract<Screen, { id: Id }>['module']>>;

/** Ids of the pages that the backend shows. `resume` is shown at the end of a login and has no address. */
export type PageId = Screen['id'] | 'resume';

/** What a page shows, typed by its loader. */
export type ScreenData<Id extends PageId> = Id extends Screen['id']
  ? Exclude<Awaited<ReturnType<ModuleOf<Id>['load']>>, Response>
  : PendingSubmission;

/** What a page's action shows beside it. */
export type ScreenResult<Id extends PageId> = Id extends Screen['id']
  ? ResultOf<ActOf<ModuleOf<Id>>>
  : ActionResult;

type ActOf<Module> = Module extends { act: infer Act } ? Act : () => Promise<ActionResult>;
