import type { KeyboardEvent } from 'react';
import { tools, type ToolName } from '#app/admin/editor/live/base/tools.ts';
import type { ViewSettings } from '#app/admin/editor/model/view-settings.ts';
import { Icon } from '#app/ui/icon.tsx';
import { useWords } from '#app/ui/words.ts';
import { KeyboardMap, keysButton } from './keyboard-map.tsx';

interface ToolbarProps {
  view: ViewSettings;
  onView: (part: Partial<ViewSettings>) => void;
  onTool: (name: ToolName) => void;
  onFiles: (files: File[]) => void;
}

/**
 * The toolbar above the text, which needs scripts. The arrow keys move between its buttons, so that Tab leaves it in
 * one step. A button's title is its name: with an `aria-label` too, screen readers would say the name twice.
 */
export function Toolbar({ view, onView, onTool, onFiles }: ToolbarProps) {
  const t = useWords();
  const { mode, previewing, focusing } = view;
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
      <label className="tool" title={t('Upload pictures')}>
        <Icon name="image" />
        <span className="sr-only">{t('Upload pictures')}</span>
        <input
          id="upload-pictures"
          type="file"
          className="sr-only"
          accept="image/*,video/*,audio/*,application/pdf"
          multiple
          tabIndex={-1}
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </label>
      <button type="button" className="tool tool-end" title={t('Keyboard map')} tabIndex={-1} {...keysButton}>
        <Icon name="keyboard" />
      </button>
      <button
        type="button"
        className="tool"
        title={t('Focus mode')}
        aria-pressed={focusing}
        tabIndex={-1}
        onClick={() => onView({ focusing: !focusing })}
      >
        <Icon name="focus" />
      </button>
      <button
        type="button"
        className="tool"
        title={t('Markdown source')}
        aria-pressed={mode === 'source'}
        tabIndex={-1}
        onClick={() => onView({ mode: mode === 'source' ? 'live' : 'source' })}
      >
        <Icon name="source" />
      </button>
      <button
        type="button"
        className="tool"
        title={t('Live preview')}
        aria-pressed={previewing}
        tabIndex={-1}
        onClick={() => onView({ previewing: !previewing })}
      >
        <Icon name="preview" />
      </button>
      <KeyboardMap />
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const toRight = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
  const step = { ArrowRight: toRight, ArrowLeft: -toRight }[event.key];
  if (!step) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button.tool, input[type=file]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[(at + step + items.length) % items.length]?.focus();
  event.preventDefault();
}
