import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
  type ScreenModule,
} from '#app/admin/frame/screen.ts';
import { readUndoOffer } from '#app/admin/frame/undo.server.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { termSchema } from '#app/posts/terms/form.ts';
import { listAllTerms } from '#app/posts/terms/queries.server.ts';
import { createTerm } from '#app/publishing/terms/save.server.ts';
import { termWords, type TermKind } from './words.ts';

/** The screen with the list of categories, or of tags, and the form for a new one. */
function termsScreen(kind: TermKind) {
  return {
    async load(args: ScreenArguments) {
      const { app, request } = args;
      const terms = await listAllTerms(app, kind);
      return {
        kind,
        terms,
        deleted: new URL(request.url).searchParams.has('deleted'),
        undo: await readUndoOffer(args, termWords[kind].segment),
      };
    },
    async act({ app, form: { values }, adminContext }: ActionArguments): Promise<Done> {
      if ((values.intent ?? 'save') !== 'save') throw unknownIntent();
      const { id } = await createTerm(app, kind, parseForm(termSchema, values));
      return { location: `${adminUrl(adminContext.adminPath, termWords[kind].segment, id)}?saved`, id };
    },
  } satisfies ScreenModule;
}

export const categoriesScreen = termsScreen('category');
export const tagsScreen = termsScreen('tag');

export type TermsData = Awaited<ReturnType<ReturnType<typeof termsScreen>['load']>>;
