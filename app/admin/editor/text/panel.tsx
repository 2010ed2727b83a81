import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { tools, type ToolName } from '#app/admin/editor/live/base/tools.ts';
import {
  CHOOSE_POSTER,
  type ChoosePoster,
  focusText,
  onTextChange,
  readText,
} from '#app/admin/editor/model/text-source.ts';
import { useFormValues } from '#app/admin/editor/model/form-fields.ts';
import type { Thumbnail } from '#app/admin/editor/model/thumbnails.ts';
import type { ViewSettings } from '#app/admin/editor/model/view-settings.ts';
import { CoverAboveTitle } from '#app/admin/editor/panels/cover-picker.tsx';
import { fetchJson } from '#app/admin/editor/saving/requests.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { Picture } from '#app/admin/media/library-dialog.tsx';
import { type Message } from '#app/platform/message.ts';
import { directionOf } from '#app/platform/text/languages.ts';
import { countWords } from '#app/posts/markdown/text.ts';
import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { TextArea } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Loaded } from '#app/ui/deferred.tsx';
import { useWords, type Words } from '#app/ui/words.ts';
import { KeyboardMap, usePageKeys } from './keys.tsx';
import type { Snippet } from './snippet-dialog.tsx';
import { useLiveEditor } from './use-live-editor.ts';
import { useLivePreview, useSyncedScroll } from './use-live-preview.ts';

const BODY_ID = 'field-body';
/** The id of the field that chooses files for the text. */
const UPLOAD_ID = 'upload-pictures';
const ANY_FILE = 'image/*,video/*,audio/*,application/pdf';

const NO_SNIPPETS: readonly Snippet[] = [];

const loadSnippetDialog = () => import('./snippet-dialog.tsx').then(({ SnippetDialog }) => SnippetDialog);

const loadLibrary = () =>
  import('#app/admin/media/library-dialog.tsx').then(({ LibraryDialog }) => LibraryDialog);

interface TextPanelProps {
  field: (name: string) => { name: string; defaultValue: string | undefined; errors: Message[] | undefined };
  adminContext: AdminContext;
  /** The preview that the preview button has rendered, which works without scripts. */
  rendered: string | null;
  view: ViewSettings;
  onView: (part: Partial<ViewSettings>) => void;
  form: RefObject<HTMLFormElement | null>;
  values: Record<string, string>;
  siteLanguage: string;
  images: Thumbnail[];
  hasFocus: boolean;
}

/** Title and text. Without scripts both are plain fields; with scripts the live editor replaces the textarea. */
export function TextPanel({
  field,
  adminContext,
  rendered,
  view,
  onView,
  form,
  values,
  siteLanguage,
  images,
  hasFocus,
}: TextPanelProps) {
  const t = useWords();
  const { adminPath, language } = adminContext;
  const { language: postLanguage } = useFormValues(form, languageField, values);
  const textLanguage = isLanguageTag(postLanguage) ? postLanguage : siteLanguage;
  const ofText = { lang: textLanguage, dir: directionOf(textLanguage) ?? 'ltr' };
  const textarea = useRef<HTMLTextAreaElement | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  const [choosing, setChoosing] = useState<'one' | 'several' | null>(null);
  const [onPoster, setOnPoster] = usePosterRequest(root);
  const closeLibrary = () => {
    setChoosing(null);
    setOnPoster(null);
  };
  const findUrl = adminUrl(adminPath, 'find');
  const onTool = (name: ToolName) => {
    const accept = { picture: ANY_FILE, film: 'video/*', audio: 'audio/*' }[name as string];
    const field = document.getElementById(UPLOAD_ID) as HTMLInputElement | null;
    if (accept && field) {
      field.accept = accept;
      field.click();
    }
    if (name === 'library') setChoosing('one');
    if (name === 'gallery') setChoosing('several');
    if (name === 'snippet') setSelected(editor?.selectedText() ?? '');
  };
  useEffect(() => {
    textarea.current = root.current!.querySelector<HTMLTextAreaElement>(`#${BODY_ID}`);
  }, []);
  const userId = adminContext.user!.id;
  const snippetsUrl = adminUrl(adminPath, 'snippets');
  const snippets = useRef<Promise<readonly Snippet[]> | null>(null);
  const forgetSnippets = () => (snippets.current = null);
  const loadSnippets = () =>
    (snippets.current ??= fetchJson<{ snippets: Snippet[] }>(snippetsUrl, userId).then((found) => {
      if (typeof found === 'object' && found) return found.snippets;
      // The next opening of a menu tries again.
      forgetSnippets();
      return NO_SNIPPETS;
    }));
  const editor = useLiveEditor(textarea, container, view.mode, {
    language: textLanguage,
    words: t,
    mediaUrl: adminUrl(adminPath, 'media'),
    findUrl,
    loadSnippets,
    onTool,
  });
  const [selected, setSelected] = useState<string | null>(null);
  useEffect(() => {
    const form = root.current!.closest('form')!;
    // Tools that the menu of the bar has.
    const onClick = ({ target }: MouseEvent) => {
      const tool = target instanceof Element && target.closest<HTMLElement>('[data-tool]');
      if (tool) editor?.run(tool.dataset.tool as ToolName);
    };
    form.addEventListener('click', onClick);
    return () => form.removeEventListener('click', onClick);
  }, [editor]);
  const preview = useLivePreview(textarea, adminUrl(adminPath, 'preview'), { enabled: view.previewing });
  useSyncedScroll(editor, pane, { enabled: view.previewing, html: preview.html });
  const wasPreviewing = useRef(view.previewing);
  useEffect(() => {
    if (view.previewing && !wasPreviewing.current) showPreview();
    wasPreviewing.current = view.previewing;
  }, [view.previewing]);
  usePageKeys(root, textarea, view, onView);

  return (
    <div
      className="editor-text page-text"
      data-source={(editor !== null && view.mode === 'source') || undefined}
      ref={root}
    >
      {rendered !== null ? (
        <section aria-labelledby="preview" className="preview-page">
          <h2 id="preview" tabIndex={-1}>
            {t('Preview')}
          </h2>
          <div className="prose" {...ofText} dangerouslySetInnerHTML={{ __html: rendered }} />
        </section>
      ) : null}
      <CoverAboveTitle form={form} values={values} images={images} />
      <TextArea
        {...field('title')}
        label="Title"
        required
        maxLength={300}
        rows={1}
        className="title-input"
        placeholder={t('Title')}
        autoComplete="off"
        spellCheck
        {...ofText}
        autoFocus={hasFocus}
      />
      <div
        className={view.previewing ? 'writing writing-split' : 'writing'}
        data-live={editor ? view.mode : undefined}
      >
        {view.tools ? (
          <div className="writing-tools">
            {editor ? <Toolbar onTool={(name) => editor.run(name)} /> : null}
          </div>
        ) : null}
        <div className="writing-text">
          <TextArea
            {...field('body')}
            label="Text"
            rows={26}
            className="body-input"
            placeholder={t('Write here, in Markdown.')}
            spellCheck
            {...ofText}
            {...(editor && { tabIndex: -1, 'aria-hidden': true })}
          />
          <div className="live-text prose" ref={container} />
        </div>
        {view.previewing ? (
          <section className="live-preview" aria-label={t('Live preview')} tabIndex={0} ref={pane}>
            {preview.failed ? (
              <p className="field-error">
                {preview.failed === 'offline'
                  ? t('The preview is out of date: you’re offline.')
                  : t('The preview is out of date: the server returned an error.')}
              </p>
            ) : null}
            <div className="prose" {...ofText} dangerouslySetInnerHTML={{ __html: preview.html }} />
          </section>
        ) : null}
        <TextFoot textarea={textarea} ready={editor !== null} language={language} />
      </div>
      <input
        id={UPLOAD_ID}
        type="file"
        hidden
        aria-label={t('Upload pictures')}
        accept={ANY_FILE}
        multiple
        onChange={({ target }) => {
          editor?.insertFiles([...(target.files ?? [])]);
          target.value = '';
          focusText(textarea.current!);
        }}
      />
      <KeyboardMap />
      <Loaded
        load={loadSnippetDialog}
        onFailed={() => setSelected(null)}
        shown={
          selected !== null && {
            ...{ url: snippetsUrl, userId, load: loadSnippets, selected },
            onInsert: (body: string) => editor?.insertMarkdown(body),
            onSaved: forgetSnippets,
            onClose: () => setSelected(null),
          }
        }
      />
      <Loaded
        load={loadLibrary}
        onFailed={closeLibrary}
        shown={
          (choosing !== null || onPoster !== null) && {
            findUrl,
            mediaUrl: adminUrl(adminPath, 'media'),
            several: choosing === 'several',
            kind: onPoster ? 'image' : 'picture',
            onClose: closeLibrary,
            onChoose: (pictures: Picture[]) =>
              onPoster ? onPoster.choose(pictures[0]!.src) : editor?.insertPictures(pictures),
          }
        }
      />
    </div>
  );
}

/** The request of a film in the text to choose its poster; null while there is none. */
function usePosterRequest(root: RefObject<HTMLElement | null>) {
  const [request, setRequest] = useState<{ choose: (src: string) => void } | null>(null);
  useEffect(() => {
    const text = root.current!;
    const onAsked = (event: Event) => setRequest({ choose: (event as ChoosePoster).detail });
    text.addEventListener(CHOOSE_POSTER, onAsked);
    return () => text.removeEventListener(CHOOSE_POSTER, onAsked);
  }, [root]);
  return [request, setRequest] as const;
}

/** Scrolls to the preview, which may be out of sight below the text on a narrow screen. */
function showPreview(): void {
  document.querySelector('.live-preview')?.scrollIntoView({ block: 'nearest' });
}

const languageField = ['language'] as const;

/** True for a language tag that browsers accept for their spell check. */
function isLanguageTag(tag: string): boolean {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag);
}

interface TextFootProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  ready: boolean;
  language: string;
}

/** The line below the text: its length. Without scripts, that the text is Markdown. */
function TextFoot({ textarea, ready, language }: TextFootProps) {
  const t = useWords();
  const [measure, setMeasure] = useState<ReturnType<typeof measureText> | null>(null);
  useEffect(() => {
    const field = textarea.current;
    if (!ready || !field) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      timer = undefined;
      setMeasure(measureText(readText(field)));
    };
    // Also while somebody types without a pause.
    const countLater = () => {
      timer ??= setTimeout(count, 400);
    };
    count();
    const ended = new AbortController();
    onTextChange(field, countLater, ended.signal);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [textarea, ready]);
  return (
    <div className="text-foot hint">
      <span>{measure ? lengthOf(measure, language, t) : t('Markdown')}</span>
    </div>
  );
}

function lengthOf(
  { words, characters, minutes }: ReturnType<typeof measureText>,
  language: string,
  t: Words,
): string {
  const count = t.count('{count} word', '{count} words', words);
  if (words === 0) return count;
  const number = new Intl.NumberFormat(language);
  const sizes = { characters: number.format(characters), minutes: number.format(minutes) };
  return `${count}, ${t('{characters} characters, {minutes} min read', sizes)}`;
}

/** Estimates the length of a Markdown text, without link targets and the languages of code blocks. */
export function measureText(markdown: string): { words: number; characters: number; minutes: number } {
  const text = markdown.replace(/\]\([^)\s]*[^)]*\)/g, ']').replace(/^\s*(```|~~~).*$/gm, '');
  const count = countWords(text);
  const characters = text.replace(/\s+/g, ' ').trim().length;
  return {
    words: count,
    characters,
    minutes: count === 0 ? 0 : readingMinutes(count),
  };
}

/**
 * The formatting bar above the text, for people who want all tools in view. It needs scripts. The arrow keys move
 * between its buttons, so that Tab leaves it in one step. A button's title is its name: with an `aria-label` too, screen readers would say the name twice.
 */
function Toolbar({ onTool }: { onTool: (name: ToolName) => void }) {
  const t = useWords();
  return (
    <div className="tools" role="toolbar" aria-label={t('Formatting')} onKeyDown={moveFocus}>
      {tools.map(({ name, label, icon }, index) =>
        icon ? (
          <button
            key={name}
            type="button"
            className="tool"
            title={t(label)}
            tabIndex={index === 0 ? 0 : -1}
            // The text, or a cell in it, keeps the focus and its selection.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onTool(name)}
          >
            <Icon name={icon} />
          </button>
        ) : null,
      )}
      <label className="tool" title={t('Upload pictures')} htmlFor={UPLOAD_ID}>
        <Icon name="image" />
        <span className="sr-only">{t('Upload pictures')}</span>
      </label>
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const toRight = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
  const step = { ArrowRight: toRight, ArrowLeft: -toRight }[event.key];
  if (!step) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button.tool')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[(at + step + items.length) % items.length]?.focus();
  event.preventDefault();
}
