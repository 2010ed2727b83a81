import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
  type ScreenModule,
} from '#app/admin/frame/screen.ts';
import { readUndoOffer } from '#app/admin/frame/undo.server.ts';
import { readFormReleases, saveToRelease } from '#app/admin/releases/saving.server.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { say } from '#app/platform/message.ts';
import { termSchema } from '#app/posts/terms/form.ts';
import { listAllTerms } from '#app/posts/terms/queries.server.ts';
import { mergeTags } from '#app/publishing/terms/merge-tags.server.ts';
import { createTerm, saveTerm, withTermSlug } from '#app/publishing/terms/save.server.ts';
import { trashTerm } from '#app/publishing/terms/trash.server.ts';
import { rememberUndo } from '#app/publishing/trash/undo.server.ts';
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

/** The screen of one category or tag: its form, and its deletion with the choice for its posts. */
function termScreen(kind: TermKind) {
  return {
    async load(args: ScreenArguments) {
      const { app, params, request } = args;
      const term = await findTerm(app, kind, params.id);
      const all = await listAllTerms(app, kind);
      const { releases, change } = await readFormReleases(args, kind, [term.id]);
      const counts = all.find(({ id }) => id === term.id);
      return {
        kind,
        term: { ...term, posts: counts?.posts ?? 0, published: counts?.published ?? 0 },
        others: all.filter(({ id }) => id !== term.id).map(({ id, name }) => ({ id, name })),
        form: {
          name: term.name,
          slug: term.slug,
          description: term.description,
          picture: term.picture,
          ...change.get(term.id),
        },
        releases,
        saved: new URL(request.url).searchParams.has('saved') ? true : releases.notice,
      };
    },

    async act(args: ActionArguments): Promise<Done> {
      const { app, params, user, address, adminContext } = args;
      const { values } = args.form;
      const by = byUser(user, address);
      const { id, name, slug, description } = await findTerm(app, kind, params.id);
      const list = adminUrl(adminContext.adminPath, termWords[kind].segment);
      switch (values.intent ?? 'save') {
        case 'save': {
          // An absent field is not changed.
          const fields = parseForm(termSchema, { name, slug, description, ...values });
          const texts = await withTermSlug(app.db, kind, fields, id);
          const savedToRelease = await saveToRelease(args, `${list}/${id}`, () => [
            { kind, subjectId: id, texts },
          ]);
          if (savedToRelease) return { ...savedToRelease, id };
          await saveTerm(app, kind, id, texts);
          return { location: `${list}/${id}?saved`, id };
        }
        case 'delete':
          await trashTerm(app, by, { kind, id, heirId: (kind === 'category' && values.heirId) || null });
          await rememberUndo(app, user.id, say('“{title}” was moved to the trash.', { title: name }), {
            back: termWords[kind].segment,
            changes: [{ restore: kind, id }],
          });
          return { location: `${list}?deleted`, id };
        case 'merge':
          if (kind !== 'tag') break;
          await mergeTags(app, by, { id, intoId: values.intoId ?? '' });
          return { location: `${list}/${values.intoId}?saved`, id: values.intoId };
      }
      throw unknownIntent();
    },
  } satisfies ScreenModule;
}

export const categoryScreen = termScreen('category');
export const tagScreen = termScreen('tag');

export type TermData = Awaited<ReturnType<ReturnType<typeof termScreen>['load']>>;

async function findTerm(app: ScreenArguments['app'], kind: TermKind, id = '') {
  const term = await (kind === 'category'
    ? app.db.category.findUnique({ where: { id } })
    : app.db.tag.findUnique({ where: { id } }));
  if (!term) throw new AppError('not_found', `This ${kind} does not exist.`);
  return term;
}
