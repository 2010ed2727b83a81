import { searchPanelOpen } from '@codemirror/search';
import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { type EditorView, showTooltip, tooltips, ViewPlugin, type Tooltip } from '@codemirror/view';
import { iconOutline } from '#app/ui/icon.tsx';
import type { Words } from '#app/ui/words.ts';
import { element } from '#app/admin/editor/live/base/dom.ts';
import { focusedFieldIn, type TextField } from '#app/admin/editor/live/base/text-focus.ts';
import { tools, type ToolName } from './base/tools.ts';
import { coveredAtTop } from './scroll-position.ts';

/** The tools that come to selected words. */
const atWords = ['bold', 'italic', 'link', 'heading2', 'quote', 'code', 'footnote'] as const;
/** The tools that come to words of a table's cell or of a caption. */
const atFieldWords = ['bold', 'italic', 'link', 'code'] as const;

/** True while the pointer is down: tools that appear under it would take the selection away. */
const setPressed = StateEffect.define<boolean>();
/** The field within the text whose words are selected. */
const setField = StateEffect.define<TextField | null>();

interface Shown {
  isPressed: boolean;
  field: TextField | null;
  tooltip: Tooltip | null;
}

/**
 * The tools beside selected words. Alt+F10 moves the focus to them, the arrow keys along them, Esc back to the text.
 * They are over the text, so that nothing moves.
 */
export function selectionTools(run: (name: ToolName) => void, t: Words): Extension {
  const shown = StateField.define<Shown>({
    create: () => ({ isPressed: false, field: null, tooltip: null }),
    update(before, { state, effects }) {
      let { isPressed, field } = before;
      for (const effect of effects) {
        if (effect.is(setPressed)) isPressed = effect.value;
        if (effect.is(setField)) field = effect.value;
      }
      // What is found is selected: tools would cover the panel that finds.
      const place = isPressed || searchPanelOpen(state) ? null : wordsAt(state, field);
      if (place === null) return { isPressed, field, tooltip: null };
      const { tooltip } = before;
      const isSame = before.field === field && tooltip?.pos === place.from && tooltip.end === place.to;
      const create: Tooltip['create'] = (view) => ({
        dom: toolsElement(view, { run, t, field }),
        ...(field && { getCoords: () => field.getBoundingClientRect() }),
      });
      if (isSame) return { isPressed, field, tooltip };
      // On a phone the system's own menu is above the words.
      const above = !matchMedia('(pointer: coarse)').matches;
      return { isPressed, field, tooltip: { pos: place.from, end: place.to, above, create } };
    },
    provide: (field) => showTooltip.from(field, ({ tooltip }) => tooltip),
  });
  return [
    shown,
    followPointer,
    followFields,
    tooltips({
      tooltipSpace: () => ({ top: coveredAtTop(), left: 0, bottom: innerHeight, right: innerWidth }),
    }),
  ];
}

/**
 * The selected words, or the place of the field within the text that has them; null: there are none, or only spaces.
 */
function wordsAt(state: EditorState, field: TextField | null): { from: number; to: number } | null {
  const { main, ranges } = state.selection;
  if (field) return { from: main.head, to: main.head };
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

/** Follows the words that are selected in a table's cell or in a caption, which the text's selection doesn't know. */
const followFields = ViewPlugin.define((view) => {
  const ended = new AbortController();
  const { signal } = ended;
  let shown: TextField | null = null;
  const follow = () => {
    // While the tools have the focus, the field keeps its selection.
    if (document.activeElement?.closest('.md-words-tools')) return;
    const field = focusedFieldIn(view);
    const { value, selectionStart: from, selectionEnd: to } = field ?? { value: '' };
    const next = from != null && to != null && value.slice(from, to).trim() !== '' ? field : null;
    if (next !== shown) view.dispatch({ effects: setField.of((shown = next)) });
  };
  const onKey = (event: KeyboardEvent) => {
    if (!event.altKey || event.key !== 'F10') return;
    const first = view.dom.querySelector<HTMLElement>('.md-words-tools button');
    if (!first) return;
    first.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('selectionchange', follow, { signal });
  // Before the fields, which keep their keys to themselves.
  view.dom.addEventListener('keydown', onKey, { signal, capture: true });
  return { destroy: () => ended.abort() };
});

interface ToolsOptions {
  run: (name: ToolName) => void;
  t: Words;
  field: TextField | null;
}

function toolsElement(view: EditorView, { run, t, field }: ToolsOptions): HTMLElement {
  const buttons = (field ? atFieldWords : atWords).map((name, index) => {
    const { label, icon } = tools.find((tool) => tool.name === name)!;
    const tabindex = index === 0 ? '0' : '-1';
    const button = element('button', { type: 'button', class: 'tool', title: t(label), tabindex });
    button.innerHTML = iconOutline(icon!);
    // The text keeps the focus and its selection.
    button.addEventListener('pointerdown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      // With the keyboard the button has the focus.
      field?.focus();
      run(name);
    });
    return button;
  });
  const named = { class: 'md-words-tools', role: 'toolbar', 'aria-label': t('Formatting') };
  const bar = element('div', named, ...buttons);
  bar.addEventListener('keydown', (event) => {
    const toRight = getComputedStyle(bar).direction === 'rtl' ? -1 : 1;
    const step = { ArrowRight: toRight, ArrowLeft: -toRight }[event.key];
    if (event.key === 'Escape') (field ?? view).focus();
    else if (step) {
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      buttons[(at + step + buttons.length) % buttons.length]!.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return bar;
}
