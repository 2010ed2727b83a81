import { createElement, type ReactNode } from 'react';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import { shortcuts } from './shortcuts.ts';

const buttons: { button: string; label: string; icon: IconName }[] = [
  { button: 'bold', label: 'Bold', icon: 'bold' },
  { button: 'italic', label: 'Italic', icon: 'italic' },
  { button: 'header-2', label: 'Heading', icon: 'heading' },
  { button: 'link', label: 'Link', icon: 'link' },
  { button: 'unordered-list', label: 'List', icon: 'list' },
  { button: 'ordered-list', label: 'Numbered list', icon: 'numbers' },
  { button: 'quote', label: 'Quote', icon: 'quote' },
  { button: 'code', label: 'Code', icon: 'code' },
  { button: 'strikethrough', label: 'Strike through', icon: 'strike' },
];

// React 18's types do not know the popover attributes yet.
const keysButton = { popovertarget: 'keys' } as const;
const keysPopover = { popover: 'auto' } as const;

/** What JavaScript puts above the text. `field`: the textarea's id; `onPickImages` gets what was chosen. */
export function Toolbar({
  field,
  previewing,
  onTogglePreview,
  onPickImages,
}: {
  field: string;
  previewing: boolean;
  onTogglePreview: () => void;
  onPickImages: (files: FileList) => void;
}) {
  return (
    <div className="tools">
      <MarkdownToolbar field={field}>
        {buttons.map(({ button, label, icon }) => (
          <button
            key={button}
            type="button"
            className="tool"
            data-md-button={button}
            title={label}
            aria-label={label}
          >
            <Icon name={icon} />
          </button>
        ))}
      </MarkdownToolbar>
      <label className="tool" title="Insert images">
        <Icon name="image" />
        <span className="sr-only">Insert images</span>
        <input
          type="file"
          className="sr-only"
          accept="image/*"
          multiple
          onChange={({ target }) => {
            if (target.files?.length) onPickImages(target.files);
          }}
        />
      </label>
      <button
        type="button"
        className="tool tool-end"
        title="Keyboard map"
        aria-label="Keyboard map"
        {...keysButton}
      >
        <Icon name="keyboard" />
      </button>
      <button type="button" className="tool tool-wide" aria-pressed={previewing} onClick={onTogglePreview}>
        <Icon name="preview" /> Live preview
      </button>
      <KeyboardMap />
    </div>
  );
}

function MarkdownToolbar({ field, children }: { field: string; children: ReactNode }) {
  return createElement(
    'markdown-toolbar',
    { for: field, class: 'tools-markdown', 'aria-label': 'Formatting' },
    children,
  );
}

function KeyboardMap() {
  return (
    <div id="keys" className="keys" {...keysPopover}>
      <h2>Keyboard</h2>
      <dl>
        {shortcuts.map((shortcut) => (
          <div key={shortcut.label}>
            <dt>{shortcut.label}</dt>
            <dd>
              <kbd>Ctrl</kbd> {'shift' in shortcut ? <kbd>Shift</kbd> : null}{' '}
              <kbd>{shortcut.key.toUpperCase()}</kbd>
            </dd>
          </div>
        ))}
        <div>
          <dt>Continue a list</dt>
          <dd>
            <kbd>Enter</kbd>
          </dd>
        </div>
        <div>
          <dt>Along the toolbar</dt>
          <dd>
            <kbd>←</kbd> <kbd>→</kbd>
          </dd>
        </div>
      </dl>
      <p className="hint">On a Mac, ⌘ takes the place of Ctrl. Tab leaves the text, as everywhere.</p>
    </div>
  );
}
