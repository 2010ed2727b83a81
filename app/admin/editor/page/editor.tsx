import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { Conflict } from '#app/admin/editor/conflict/conflict.tsx';
import type { EditorResult } from '#app/admin/editor/conflict/result.ts';
import { ScheduledConflict } from '#app/admin/editor/conflict/scheduled.tsx';
import { LocalCopies, UnsavedCopy } from '#app/admin/editor/conflict/unsaved-copy.tsx';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { setField, useFormValues } from '#app/admin/editor/model/form-fields.ts';
import { useViewSettings } from '#app/admin/editor/model/view-settings.ts';
import { SidePanels } from '#app/admin/editor/panels/panels.tsx';
import type { PublishPanelProps } from '#app/admin/editor/publish-panel/fields.tsx';
import { usePublishPanel } from '#app/admin/editor/publish-panel/use-panel.ts';
import { dropCopiesOf } from '#app/admin/editor/saving/device-copy.ts';
import { SaveProblem } from '#app/admin/editor/saving/save-status.tsx';
import { useSaveSession, type Saving } from '#app/admin/editor/saving/use-session.ts';
import { TextPanel } from '#app/admin/editor/text/panel.tsx';
import { Ledger } from '#app/admin/effects/ledger.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { tabTitle } from '#app/admin/screen-types.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ActionResult, AdminContext } from '#app/admin/frame/screen.ts';
import { SCHEDULED_TEXT, type EditedText } from '#app/posts/fields/states.ts';
import { Loaded } from '#app/ui/deferred.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { ActionBar } from './action-bar.tsx';
import { ErrorSummary } from './error-summary.tsx';

interface EditorProps {
  data: EditorData;
  result: ActionResult<EditorResult> | undefined;
  adminContext: AdminContext;
}

// Names without a visible field, so the summary shows their errors.
const withoutField: ReadonlySet<string> = new Set(['', 'version', 'intent', 'id', 'copy']);
const noErrors = {};
const loadPreview = () =>
  import('#app/admin/editor/preview/page-preview.tsx').then(({ PagePreview }) => PagePreview);

/** The post form. Its first button saves, so Enter saves. It works without JavaScript. */
export default function Editor(props: EditorProps) {
  const { data, result, adminContext } = props;
  const { conflict, scheduledConflict, unsavedCopy } = result ?? {};
  const isChoice = Boolean((conflict && data.post) || scheduledConflict || unsavedCopy);
  const userId = adminContext.user?.id ?? '';
  const isReplacement = result?.isReplacement ?? false;
  const submitted = result?.values;
  useEffect(() => {
    if (!submitted) return;
    // The device's copy is not needed: the page shows the text, and the server has stored it as a revision.
    if (isChoice) dropCopiesOf(userId, data.postId, submitted);
    const replaced = isReplacement ? window.location.pathname.split('/').pop() : undefined;
    if (replaced) dropCopiesOf(userId, replaced, submitted);
  }, [isChoice, isReplacement, userId, data.postId, submitted]);
  if (conflict && data.post) return <Conflict {...{ conflict, data, adminContext }} />;
  if (scheduledConflict)
    return <ScheduledConflict page={scheduledConflict} data={data} adminContext={adminContext} />;
  if (unsavedCopy) return <UnsavedCopy page={unsavedCopy} postId={data.postId} adminContext={adminContext} />;
  return <PostForm {...props} />;
}

function PostForm({ data: loaded, result, adminContext }: EditorProps) {
  const t = useWords();
  const form = useRef<HTMLFormElement>(null);
  const [view, setView] = useViewSettings(loaded.view, adminUrl(adminContext.adminPath));
  // A new post begins with an empty page, whatever was open before.
  const [isSettingsOpen, setSettingsOpen] = useState(loaded.post !== null && loaded.view.settings);
  const [isPreviewing, setPreviewing] = useState(false);
  const saving = useSaveSession(form, {
    data: loaded,
    errors: result?.errors ?? noErrors,
    adminContext,
    onPreview: () => setPreviewing(true),
  });
  const { errors } = saving;
  const [data, categories] = useNewCategories(saving.data, form);
  const values = { ...loaded.values, ...result?.values };
  const name = usePostName(form, { values, isNew: data.post === null, siteTitle: adminContext.siteTitle });
  const field = (name: string) => ({ name, defaultValue: values[name], errors: errors[name] });
  const version = loaded.post ? (values.version ?? String(loaded.post.version)) : undefined;
  // A button may have made the text on the page that of the update.
  const edit = ((data === loaded ? values : data.values).edit ?? 'live') as EditedText;
  const { adminPath } = adminContext;
  const postUrl = adminUrl(adminPath, 'posts', loaded.postId);
  const publishPanel = usePublishPanel(postUrl, adminContext.user?.id ?? '');
  return (
    <>
      <form
        method="post"
        id={FORM_ID}
        className="editor"
        data-focus={view.focusing || undefined}
        // An attribute instead of `:has()`, which the browser would evaluate at each keystroke.
        data-split={view.previewing || undefined}
        data-settings={isSettingsOpen || undefined}
        data-tools={view.tools || undefined}
        ref={form}
        action={result?.isReplacement ? adminUrl(adminPath, 'posts', 'new') : undefined}
      >
        {/* The default button: Enter saves, whatever the bar offers first. */}
        <button name="intent" value="save" className="sr-only" tabIndex={-1} aria-hidden>
          {t('Save')}
        </button>
        <PageUserField />
        <h1 className="sr-only">{name}</h1>
        <ActionBar
          {...{ saving, edit, adminContext, form, values, view }}
          onView={setView}
          onPublish={publishPanel.open}
        />
        <ErrorSummary message={result?.message} errors={errors} unseen={withoutField} />
        {result?.testMail ? (
          <p className="notice" role="status">
            {t.message(result.testMail)}
          </p>
        ) : null}
        {result?.message ? null : <Notices {...{ data, edit, adminContext, saving }} />}
        <SaveProblem
          saving={{ ...saving, lostPress: saving.lostPress ?? publishPanel.failed }}
          adminContext={adminContext}
        />
        <LocalCopies saving={saving} loaded={loaded} adminContext={adminContext} />
        <Templates data={data} adminContext={adminContext} />
        {version === undefined ? null : <input type="hidden" name="version" defaultValue={version} />}
        {values.edit ? <input type="hidden" name="edit" defaultValue={values.edit} /> : null}
        {values.releaseText ? (
          <input type="hidden" name="releaseText" defaultValue={values.releaseText} />
        ) : null}
        {values.autosavedAt ? (
          <input type="hidden" name="autosavedAt" defaultValue={values.autosavedAt} />
        ) : null}
        {loaded.post ? null : <input type="hidden" name="id" value={loaded.postId} />}
        <link rel="stylesheet" href={loaded.textStyles} />
        <div className="editor-columns">
          <TextPanel
            field={field}
            adminContext={adminContext}
            rendered={result?.preview ?? null}
            view={view}
            onView={setView}
            form={form}
            values={values}
            siteLanguage={loaded.choices.languages[0]!}
            images={loaded.choices.images}
            hasFocus={loaded.post === null && !result}
          />
          <SidePanels
            {...{ data, edit, adminContext, form, values, errors, field }}
            isOpen={isSettingsOpen}
            onOpen={(settings) => {
              setSettingsOpen(settings);
              // On a phone the panel covers the text, so the next post opens without it.
              if (!matchMedia('(max-width: 48rem)').matches) setView({ settings });
            }}
          />
        </div>
      </form>
      {loaded.ledger ? <Ledger ledger={loaded.ledger} adminContext={adminContext} /> : null}
      <Loaded
        load={loadPreview}
        onFailed={() => setPreviewing(false)}
        shown={
          isPreviewing && {
            form,
            adminContext,
            postId: data.post && data.post.status !== 'published' ? loaded.postId : null,
            onClose: () => setPreviewing(false),
          }
        }
      />
      {publishPanel.Panel ? (
        <publishPanel.Panel
          {...{ form, adminContext }}
          saving={{ ...saving, data }}
          formId={FORM_ID}
          intent={publishPanel.intent}
          {...categories}
          onClose={publishPanel.close}
        />
      ) : null}
    </>
  );
}

const FORM_ID = 'post-form';

/** The page's data with the categories that were created after it was opened, here or in another tab. */
function useNewCategories(
  data: EditorData,
  form: RefObject<HTMLFormElement | null>,
): [EditorData, Pick<PublishPanelProps, 'onCategory' | 'onCategories'>] {
  const [created, setCreated] = useState<NewCategory[]>([]);
  const { categories } = data.choices;
  const newCategories = withoutExisting(created, categories);
  const onCategories = useCallback(
    (found: NewCategory[]) =>
      setCreated((before) => {
        const added = withoutExisting(found, before);
        return added.length === 0 ? before : [...before, ...added];
      }),
    [],
  );
  const onCategory = (category: NewCategory) => {
    // The list must contain the category before it can be chosen.
    flushSync(() => onCategories([category]));
    setField(form.current!, 'categoryId', category.id);
  };
  const actions = { onCategory, onCategories };
  if (newCategories.length === 0) return [data, actions];
  return [{ ...data, choices: { ...data.choices, categories: [...categories, ...newCategories] } }, actions];
}

function withoutExisting(found: NewCategory[], existing: NewCategory[]): NewCategory[] {
  return found.filter(({ id }) => !existing.some((category) => category.id === id));
}

type NewCategory = EditorData['choices']['categories'][number];

/** The templates of a new post. Each button makes a new draft from its template. */
function Templates({ data: { post, choices }, adminContext }: Pick<EditorProps, 'data' | 'adminContext'>) {
  const t = useWords();
  if (post !== null || choices.templates.length === 0) return null;
  return (
    <div className="row templates" role="group" aria-label={t('Templates')}>
      <span className="hint">{t('Begin with a template:')}</span>
      {choices.templates.map(({ id, title }) => (
        <button
          key={id}
          className="small"
          formAction={adminUrl(adminContext.adminPath, 'posts', id, 'duplicate')}
          formNoValidate
        >
          {title}
        </button>
      ))}
    </div>
  );
}

function Notices({
  data,
  edit,
  adminContext,
  saving,
}: Pick<EditorProps, 'data' | 'adminContext'> & { edit: EditedText; saving: Saving }) {
  const t = useWords();
  // One after the other: a text that only this device has comes first.
  const unsaved = saving.restored || saving.others.length > 0 ? [] : (data.post?.unsaved ?? []);
  return (
    <>
      {data.may.save ? null : (
        <p className="notice notice-wait">
          {t('An editor has published or scheduled this post, so you can’t edit it.')}
        </p>
      )}
      {data.notice ? (
        <p className="notice" role="status">
          {t.message(data.notice)}
        </p>
      ) : null}
      {edit === SCHEDULED_TEXT && data.post?.change ? (
        <p className="notice notice-scheduled" role="status">
          {t.rich('You’re editing the scheduled text. Readers see it at {time}, not before.', {
            time: <Time instant={data.post.change.at} {...adminContext} />,
          })}
        </p>
      ) : null}
      {unsaved.map((changes) => (
        <p key={changes.id} className="notice notice-wait">
          {t.rich(unsavedWords(changes, edit), {
            time: <Time instant={changes.at} {...adminContext} />,
            name: changes.releaseName,
            // Changes for a release are restored on the page that saves to it.
            link: <a href={`?${queryOf(changes)}with=${changes.id}`}>{t('Restore them')}</a>,
          })}
        </p>
      ))}
    </>
  );
}

function queryOf({ releaseId }: UnsavedChanges): string {
  if (releaseId === null) return '';
  return releaseId === SCHEDULED_TEXT ? `edit=${SCHEDULED_TEXT}&` : `release=${releaseId}&`;
}

function unsavedWords(
  { isOfThisPage, isReleaseDeleted, releaseId }: UnsavedChanges,
  edit: EditedText,
): string {
  if (isReleaseDeleted) return 'You have unsaved changes for a release that was deleted, from {time}. {link}';
  if (isOfThisPage) return 'You have unsaved changes from {time}. {link}';
  if (releaseId === SCHEDULED_TEXT)
    return 'You have unsaved changes in the scheduled text, from {time}. {link}';
  if (releaseId === null && edit === SCHEDULED_TEXT)
    return 'You have unsaved changes in the live text, from {time}. {link}';
  if (releaseId === null)
    return 'You have unsaved changes in the post without a release, from {time}. {link}';
  return 'You have unsaved changes for the release “{name}”, from {time}. {link}';
}

type UnsavedChanges = NonNullable<EditorData['post']>['unsaved'][number];

const titleField = ['title'] as const;

/** What the editor's page is called: the post's title as it is typed. The browser's tab follows it. */
function usePostName(
  form: RefObject<HTMLFormElement | null>,
  { values, isNew, siteTitle }: { values: Record<string, string>; isNew: boolean; siteTitle: string },
): string {
  const t = useWords();
  const { title } = useFormValues(form, titleField, values);
  const name = title.trim() || t(isNew ? 'New post' : 'Untitled');
  useEffect(() => {
    document.title = tabTitle(name, siteTitle);
  }, [name, siteTitle]);
  return name;
}
