import { Prec, type Extension } from '@codemirror/state';
import { keymap, ViewPlugin, type Command, type EditorView, type ViewUpdate } from '@codemirror/view';
import { dispatchInput } from '#app/admin/editor/live/base/text-focus.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { openInsertMenu } from '#app/admin/editor/live/menus.ts';
import { coveredAtTop } from '#app/admin/editor/live/scroll-position.ts';
import { iconOutline } from '#app/ui/icon.tsx';
import { blockAt, moveBlock, placeOf, type BlockPlace, openBlockMenu } from './blocks.ts';

/** Pixels that a press moves before it drags. */
const DRAG_FROM = 4;
const SCROLL_EDGE = 60;

/**
 * A handle beside the block under the pointer: a press opens its menu, a drag moves it. On an empty line with the caret
 * it is a plus that opens the menu of everything. The handle is no part of the text, and where it stands is known
 * without measuring, so a key costs nothing more.
 */
class Handles {
  private readonly button = document.createElement('button');
  private readonly drop = document.createElement('div');
  /** A position in the block under the pointer; null while somebody types. */
  private hovered: number | null = null;
  private shown: { at: number; isEmpty: boolean } | null = null;
  private readonly ended = new AbortController();

  constructor(private readonly view: EditorView) {
    const { button, drop } = this;
    button.type = 'button';
    button.className = 'md-handle';
    button.tabIndex = -1;
    button.hidden = true;
    drop.className = 'md-drop';
    drop.hidden = true;
    view.dom.append(button, drop);
    const { signal } = this.ended;
    view.dom.addEventListener('pointermove', (event) => this.onPointer(event), { signal });
    view.dom.addEventListener('pointerleave', () => this.hover(null), { signal });
    // The text keeps the focus and its selection.
    button.addEventListener('pointerdown', (event) => this.onPress(event), { signal });
    button.addEventListener('click', () => this.open(), { signal });
    this.place();
  }

  update({ docChanged, selectionSet, focusChanged, geometryChanged, changes }: ViewUpdate): void {
    if (docChanged) {
      // Whoever types looks at the words.
      this.hovered = null;
      if (this.shown)
        this.shown.at = Math.min(changes.mapPos(Math.min(this.shown.at, changes.length)), changes.newLength);
    }
    if (docChanged || selectionSet || focusChanged || geometryChanged) this.place();
  }

  destroy(): void {
    this.ended.abort();
    this.button.remove();
    this.drop.remove();
  }

  private onPointer({ clientY, pointerType, target }: PointerEvent): void {
    if (pointerType !== 'mouse' || this.button.dataset.dragging || target === this.button) return;
    this.hover(this.view.lineBlockAtHeight(clientY - this.view.documentTop).from);
  }

  private hover(at: number | null): void {
    if (at === this.hovered) return;
    this.hovered = at;
    this.place();
  }

  /** Puts the handle at the block under the pointer, else at the line of the caret. */
  private place(): void {
    const { view, button } = this;
    const { state } = view;
    const caret = view.hasFocus && state.selection.main.empty ? state.selection.main.head : null;
    const at = this.hovered ?? caret;
    this.shown = null;
    if (at !== null && at <= state.doc.length && !state.readOnly) {
      const line = state.doc.lineAt(at);
      const isEmpty = line.text.trim() === '';
      const block = isEmpty ? null : blockAt(state, at);
      if (block) this.shown = { at: block.from, isEmpty: false };
      // An empty line within code is not a place for a block.
      else if (isEmpty && caret !== null && line.from === state.doc.lineAt(caret).from && !blockAt(state, at))
        this.shown = { at: line.from, isEmpty: true };
    }
    button.hidden = this.shown === null;
    if (!this.shown) return;
    const { isEmpty } = this.shown;
    const name = isEmpty ? 'plus' : 'grip';
    if (button.dataset.name !== name) {
      const t = wordsOf(view);
      button.dataset.name = name;
      button.title = isEmpty ? t('Insert') : t('Move or edit block');
      button.innerHTML = iconOutline(name);
    }
    // On a phone only the caret's block has one, and it stands above the block.
    button.toggleAttribute('data-caret', this.hovered === null);
    const { top } = view.lineBlockAt(this.shown.at);
    button.style.setProperty('--at', `${Math.round(top + view.documentPadding.top)}px`);
  }

  private open(): void {
    const { view, shown } = this;
    if (!shown) return;
    if (shown.isEmpty) return openInsertMenu(view, shown.at);
    openBlockMenu(view, shown.at, this.button.getBoundingClientRect());
  }

  private onPress(event: PointerEvent): void {
    event.preventDefault();
    const { view, button, shown } = this;
    if (event.button !== 0 || !shown) return;
    const start = event.clientY;
    const place = shown.isEmpty ? null : placeOf(view.state, shown.at);
    const pressed = new AbortController();
    const { signal } = pressed;
    let gap: number | null = null;
    let y = start;
    let frame = 0;
    const follow = () => {
      if (y < coveredAtTop() + SCROLL_EDGE) scrollBy(0, -8);
      else if (y > innerHeight - SCROLL_EDGE) scrollBy(0, 8);
      gap = this.showGap(place!, y - view.documentTop);
      frame = requestAnimationFrame(follow);
    };
    const end = () => {
      pressed.abort();
      cancelAnimationFrame(frame);
      delete button.dataset.dragging;
      this.drop.hidden = true;
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener(
      'pointermove',
      ({ clientY }) => {
        y = clientY;
        if (!place || button.dataset.dragging || Math.abs(y - start) < DRAG_FROM) return;
        button.dataset.dragging = 'true';
        follow();
      },
      { signal },
    );
    button.addEventListener(
      'pointerup',
      () => {
        const isDrag = button.dataset.dragging !== undefined;
        end();
        if (!isDrag) return;
        // The click that follows would open the menu.
        addEventListener('click', (click) => click.stopPropagation(), { capture: true, once: true });
        const spec = gap === null ? null : moveBlock(view.state, place!, gap);
        this.hovered = null;
        if (spec) dispatchInput(view, spec);
      },
      { signal },
    );
    button.addEventListener('pointercancel', end, { signal });
    document.addEventListener(
      'keydown',
      (key) => {
        if (key.key !== 'Escape') return;
        key.stopPropagation();
        end();
      },
      { signal, capture: true },
    );
  }

  /** Shows where a dragged block would go. @returns that gap */
  private showGap({ blocks }: BlockPlace, y: number): number {
    const { view, drop } = this;
    let gap = blocks.length;
    let line = 0;
    for (const [index, { from, to }] of blocks.entries()) {
      const { top } = view.lineBlockAt(from);
      const { bottom } = view.lineBlockAt(to);
      line = bottom;
      if (y >= (top + bottom) / 2) continue;
      gap = index;
      line = top;
      break;
    }
    drop.hidden = false;
    drop.style.top = `${Math.round(line + view.documentPadding.top)}px`;
    return gap;
  }
}

const moveBy =
  (step: 1 | -1): Command =>
  (view) => {
    const place = placeOf(view.state, view.state.selection.main.head);
    if (!place) return false;
    const spec = moveBlock(view.state, place, step > 0 ? place.at + 2 : place.at - 1);
    if (spec) dispatchInput(view, spec);
    return true;
  };

/** Opens the menu of the block with the caret, or the menu of everything on an empty line. */
const openMenu: Command = (view) => {
  const { main } = view.state.selection;
  if (!main.empty) return false;
  const block = blockAt(view.state, main.head);
  const place = block && view.coordsAtPos(block.from);
  if (place) openBlockMenu(view, block.from, place);
  else openInsertMenu(view, main.head);
  return true;
};

/** Handles at the blocks: drag, Alt with an arrow, and a menu that Alt+F10 opens. */
export const blockHandles: Extension = [
  ViewPlugin.fromClass(Handles),
  Prec.high(
    keymap.of([
      { key: 'Alt-ArrowUp', run: moveBy(-1) },
      { key: 'Alt-ArrowDown', run: moveBy(1) },
      { key: 'Alt-F10', run: openMenu },
    ]),
  ),
];
