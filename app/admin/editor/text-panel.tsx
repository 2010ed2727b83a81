import { useEffect, useRef, useState, type RefObject } from 'react';
import { TextArea, TextField } from '#app/ui/field.tsx';
import { useScripted } from '#app/ui/use-scripted.ts';
import { acceptImages, type UploadState } from './image-upload.ts';
import { nextListMarker, shortcutOf } from './shortcuts.ts';
import { focusText, onTextChange, readText } from './text-source.ts';
import { Toolbar } from './toolbar.tsx';
import { useLivePreview } from './use-live-preview.ts';
import { measureText } from './word-count.ts';

const BODY_ID = 'field-body';

interface TextPanelProps {
  field: (name: string) => { name: string; defaultValue: string | undefined; errors: string[] | undefined };
  previewUrl: string;
  mediaUrl: string;
  /** Rendered by the preview button, which needs no script. */
  rendered: string | null;
  previewing: boolean;
  onPreviewing: (shown: boolean | ((shown: boolean) => boolean)) => void;
}

/** Title and text. The textarea is the browser's own and uncontrolled: a key costs the same in a long text. */
export function TextPanel({
  field,
  previewUrl,
  mediaUrl,
  rendered,
  previewing,
  onPreviewing,
}: TextPanelProps) {
  const textarea = useRef<HTMLTextAreaElement | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const scripted = useScripted();
  const [upload, setUpload] = useState<UploadState | null>(null);
  const preview = useLivePreview(textarea, previewUrl, previewing);

  useEffect(() => {
    textarea.current = root.current!.querySelector<HTMLTextAreaElement>(`#${BODY_ID}`);
    const field = textarea.current!;
    const stopImages = acceptImages(field, { url: mediaUrl, onState: setUpload });
    const stopKeys = listenForKeys(root.current!, field, () => onPreviewing((shown) => !shown));
    let stopPaste: (() => void) | undefined;
    let over = false;
    // Both libraries touch the document when they load, so only the browser may.
    void Promise.all([import('@github/paste-markdown'), import('@github/markdown-toolbar-element')]).then(
      ([{ subscribe }]) => {
        if (!over) stopPaste = subscribe(field).unsubscribe;
      },
    );
    return () => {
      over = true;
      stopImages();
      stopKeys();
      stopPaste?.();
    };
  }, [mediaUrl, onPreviewing]);

  const pickImages = (files: FileList) => {
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    textarea.current?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
  };

  return (
    <div className="editor-text" ref={root}>
      <TextField
        {...field('title')}
        label="Title"
        required
        maxLength={300}
        className="title-input"
        autoComplete="off"
      />
      <div className={previewing ? 'writing writing-split' : 'writing'}>
        <div className="writing-tools">
          {scripted ? (
            <Toolbar
              field={BODY_ID}
              previewing={previewing}
              onTogglePreview={() => onPreviewing(!previewing)}
              onPickImages={pickImages}
            />
          ) : null}
        </div>
        <TextArea {...field('body')} label="Text" rows={26} className="body-input" spellCheck />
        {previewing ? (
          <section className="live-preview" aria-label="Live preview" tabIndex={0}>
            {preview.failed ? (
              <p className="field-error">The preview is not up to date: the server failed.</p>
            ) : null}
            <div className="prose" dangerouslySetInnerHTML={{ __html: preview.html }} />
          </section>
        ) : null}
        <TextFoot textarea={textarea} ready={scripted} upload={upload} />
      </div>
      {rendered !== null ? (
        <section aria-labelledby="preview" className="preview-page">
          <h2 id="preview" tabIndex={-1}>
            Preview
          </h2>
          <div className="prose" dangerouslySetInnerHTML={{ __html: rendered }} />
        </section>
      ) : null}
    </div>
  );
}

/** Below the text: how long it is, how an upload goes. Without a script, that it is Markdown. */
function TextFoot({
  textarea,
  ready,
  upload,
}: {
  textarea: RefObject<HTMLTextAreaElement | null>;
  ready: boolean;
  upload: UploadState | null;
}) {
  const [measure, setMeasure] = useState<ReturnType<typeof measureText> | null>(null);
  useEffect(() => {
    const field = textarea.current;
    if (!ready || !field) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => setMeasure(measureText(readText(field)));
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(count, 400);
    };
    count();
    const ended = new AbortController();
    onTextChange(field, later, ended.signal);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [textarea, ready]);
  return (
    <div className="text-foot hint">
      <span>{measure ? wordsOf(measure) : 'Markdown'}</span>
      {upload?.kind === 'running' ? (
        <span>
          Uploading {upload.name} <progress value={upload.share} aria-label="Upload" />
        </span>
      ) : null}
      {upload?.kind === 'failed' ? (
        <span className="field-error" role="alert">
          {upload.message}
        </span>
      ) : null}
    </div>
  );
}

function wordsOf({ words, minutes }: ReturnType<typeof measureText>): string {
  const count = `${words.toLocaleString('en')} ${words === 1 ? 'word' : 'words'}`;
  return words === 0 ? count : `${count}, ${minutes} min read`;
}

function listenForKeys(
  root: HTMLElement,
  textarea: HTMLTextAreaElement,
  togglePreview: () => void,
): () => void {
  const ended = new AbortController();
  const form = textarea.form!;
  form.addEventListener(
    'keydown',
    (event) => {
      const shortcut = shortcutOf(event);
      if (!shortcut) return;
      if ('button' in shortcut) {
        if (event.target !== textarea) return;
        root.querySelector<HTMLElement>(`[data-md-button="${shortcut.button}"]`)?.click();
      } else if (shortcut.action === 'save') form.requestSubmit(form.querySelector('button'));
      else togglePreview();
      event.preventDefault();
    },
    { signal: ended.signal },
  );
  const title = form.elements.namedItem('title');
  if (title instanceof HTMLInputElement)
    title.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        focusText(textarea);
      },
      { signal: ended.signal },
    );
  textarea.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing)
        return;
      const { selectionStart: caret, selectionEnd, value } = textarea;
      const start = value.lastIndexOf('\n', caret - 1) + 1;
      const next = caret === selectionEnd ? nextListMarker(value.slice(start, caret)) : null;
      if (!next) return;
      event.preventDefault();
      if (next.marker === '') textarea.setSelectionRange(start, caret);
      document.execCommand('insertText', false, next.marker === '' ? '\n' : `\n${next.marker}`);
    },
    { signal: ended.signal },
  );
  return () => ended.abort();
}
