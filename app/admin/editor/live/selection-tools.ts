import { searchPanelOpen } from '@codemirror/search';
import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { type EditorView, keymap, showTooltip, tooltips, ViewPlugin, type Tooltip } from '@codemirror/view';
import { iconOutline } from '#app/ui/icon.tsx';
import type { Words } from '#app/ui/words.ts';
import { tools, type ToolName } from './base/tools.ts';
import { coveredAtTop } from './scroll-position.ts';

/** The tools that come to selected words. */
const atWords = ['bold', 'italic', 'link', 'heading2', 'quote', 'code', 'footnote'] as const;

/** True while the pointer is down: tools that appear under it would take the selection away. */
const setPressed = StateEffect.define<boolean>();

interface Shown {
  isPressed: boolean;
  tooltip: Tooltip | null;
}

/**
 * The tools beside selected words. Alt+F10 moves the focus to them, the arrow keys along them, Esc back to the text.
 * They are over the text, so that nothing moves.
 */
export function selectionTools(run: (name: ToolName) => void, t: Words): Extension {
  const create = (view: EditorView) => ({ dom: toolsElement(view, run, t) });
  const field = StateField.define<Shown>({
    create: () => ({ isPressed: false, tooltip: null }),
    update({ isPressed: before, tooltip }, { state, effects }) {
      let isPressed = before;
      for (const effect of effects) if (effect.is(setPressed)) isPressed = effect.value;
      // What is found is selected: tools would cover the panel that finds.
      const place = isPressed || searchPanelOpen(state) ? null : wordsAt(state);
      if (place === null) return { isPressed, tooltip: null };
      const isSame = tooltip?.pos === place.from && tooltip.end === place.to;
      return { isPressed, tooltip: isSame ? tooltip : tooltipAt(place, create) };
    },
    provide: (shown) => showTooltip.from(shown, ({ tooltip }) => tooltip),
  });
  return [
    field,
    followPointer,
    tooltips({
      tooltipSpace: () => ({ top: coveredAtTop(), left: 0, bottom: innerHeight, right: innerWidth }),
    }),
    keymap.of([
      {
        key: 'Alt-F10',
        run: (view) => {
          const first = view.dom.ownerDocument.querySelector<HTMLElement>('.md-words-tools button');
          first?.focus();
          return first !== null;
        },
      },
    ]),
  ];
}

function tooltipAt({ from, to }: { from: number; to: number }, create: Tooltip['create']): Tooltip {
  // On a phone the system's own menu is above the words.
  return { pos: from, end: to, above: !matchMedia('(pointer: coarse)').matches, create };
}

/** The selected words; null: there are none, or only spaces. */
function wordsAt(state: EditorState): { from: number; to: number } | null {
  const { main, ranges } = state.selection;
  if (main.empty || ranges.length > 1) return null;
  return state.sliceDoc(main.from, Math.min(main.to, main.from + 1_000)).trim() === '' ? null : main;
}

/** Hides the tools while words are being selected with the pointer. */
const followPointer = ViewPlugin.define((view) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDown = false;
  const set = (isPressed: boolean) => view.dispatch({ effects: setPressed.of((isDown = isPressed)) });
  const onDown = () => set(true);
  const onUp = () => {
    clearTimeout(timer);
    // After the click has changed the selection.
    if (isDown) timer = setTimeout(() => set(false));
  };
  view.contentDOM.addEventListener('pointerdown', onDown);
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, onUp);
  return {
    destroy() {
      clearTimeout(timer);
      view.contentDOM.removeEventListener('pointerdown', onDown);
      for (const end of ['pointerup', 'pointercancel']) document.removeEventListener(end, onUp);
    },
  };
});

function toolsElement(view: EditorView, run: (name: ToolName) => void, t: Words): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'md-words-tools';
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', t('Formatting'));
  const buttons = atWords.map((name, index) => {
    const { label, icon } = tools.find((tool) => tool.name === name)!;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'tool';
    button.title = t(label);
    button.tabIndex = index === 0 ? 0 : -1;
    button.innerHTML = iconOutline(icon!);
    // The text keeps the focus and its selection.
    button.addEventListener('pointerdown', (event) => event.preventDefault());
    button.addEventListener('click', () => run(name));
    return button;
  });
  bar.append(...buttons);
  bar.addEventListener('keydown', (event) => {
    const toRight = getComputedStyle(bar).direction === 'rtl' ? -1 : 1;
    const step = { ArrowRight: toRight, ArrowLeft: -toRight }[event.key];
    if (event.key === 'Escape') view.focus();
    else if (step) {
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      buttons[(at + step + buttons.length) % buttons.length]!.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return bar;
}
