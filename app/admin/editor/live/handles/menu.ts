import type { TransactionSpec } from '@codemirror/state';
import type { EditorView, Rect } from '@codemirror/view';
import { dispatchInput } from '#app/admin/editor/live/base/dispatch-input.ts';
import { tools } from '#app/admin/editor/live/base/tools.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { commands } from '#app/admin/editor/live/commands.ts';
import { iconOutline, type IconName } from '#app/ui/icon.tsx';
import {
  blockAt,
  deleteBlock,
  duplicateBlock,
  kindOf,
  moveBlock,
  placeOf,
  toCallout,
  toText,
  type Block,
  type BlockKind,
} from './blocks.ts';

interface Item {
  label: string;
  icon: IconName;
  key?: string;
  run: () => void;
}

const kinds: readonly BlockKind[] = [
  'text',
  'heading2',
  'heading3',
  'list',
  'numbers',
  'tasks',
  'quote',
  'callout',
];

/** Opens the menu of the block at a position: move, duplicate, turn into another kind, delete. */
export function openBlockMenu(view: EditorView, at: number, handle: Rect): void {
  const t = wordsOf(view);
  const place = placeOf(view.state, at);
  if (!place) return;
  const block = place.blocks[place.at]!;
  const menu = document.createElement('div');
  menu.className = 'md-block-menu bar-menu';
  menu.popover = 'auto';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', t('Block'));
  const input = (spec: TransactionSpec | null) => spec && dispatchInput(view, spec);
  const items: Item[] = [
    {
      label: t('Move up'),
      icon: 'up',
      key: 'Alt ↑',
      run: () => input(moveBlock(view.state, place, place.at - 1)),
    },
    {
      label: t('Move down'),
      icon: 'down',
      key: 'Alt ↓',
      run: () => input(moveBlock(view.state, place, place.at + 2)),
    },
    { label: t('Duplicate'), icon: 'copy', run: () => input(duplicateBlock(view.state, block)) },
    { label: t('Delete'), icon: 'trash', run: () => input(deleteBlock(view.state, place)) },
  ];
  if (place.at === place.blocks.length - 1) items.splice(1, 1);
  if (place.at === 0) items.splice(0, 1);
  const kind = kindOf(view.state, block);
  const others = kind === null ? [] : kinds.filter((other) => other !== kind);
  const turns = others.map((other): Item => {
    const tool = tools.find(({ name }) => name === other);
    const icon = tool?.icon ?? tool?.menuIcon ?? 'posts';
    return { label: t(tool?.label ?? 'Text'), icon, run: () => turnInto(view, block, other) };
  });
  const close = () => menu.hidePopover();
  const buttonOf = ({ label, icon, key, run }: Item) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('role', 'menuitem');
    button.tabIndex = -1;
    button.innerHTML = iconOutline(icon);
    const name = document.createElement('span');
    name.textContent = label;
    button.append(name);
    if (key) {
      const shortcut = document.createElement('kbd');
      shortcut.textContent = key;
      button.append(shortcut);
    }
    button.onclick = () => {
      close();
      view.focus();
      // The text may have changed since the menu was opened, such as by another device.
      const now = blockAt(view.state, Math.min(block.from, view.state.doc.length));
      if (now?.from === block.from && now.to === block.to) run();
    };
    return button;
  };
  menu.append(...items.map(buttonOf));
  if (turns.length > 0) {
    const heading = document.createElement('p');
    heading.className = 'hint';
    heading.textContent = t('Turn into');
    const group = document.createElement('div');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', t('Turn into'));
    group.append(...turns.map(buttonOf));
    heading.setAttribute('aria-hidden', 'true');
    menu.append(heading, group);
  }
  menu.onkeydown = (event) =>
    moveInMenu(event, menu, () => {
      close();
      view.focus();
    });
  menu.addEventListener('toggle', (event) => {
    if (event.newState === 'closed') menu.remove();
  });
  view.dom.append(menu);
  menu.showPopover();
  placeBeside(menu, handle);
  menu.querySelector('button')?.focus({ preventScroll: true });
}

function moveInMenu(event: KeyboardEvent, menu: HTMLElement, leave: () => void): void {
  event.stopPropagation();
  const buttons = [...menu.querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const next = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: -1,
  }[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') leave();
  else if (next !== undefined) buttons.at(next % buttons.length)?.focus();
  else return;
  event.preventDefault();
}

/** Below the handle, or above it where the window ends. */
function placeBeside(menu: HTMLElement, { top, bottom, left, right }: Rect): void {
  const { width, height } = menu.getBoundingClientRect();
  const isRtl = getComputedStyle(menu).direction === 'rtl';
  const x = isRtl ? right - width : left;
  const y = bottom + height > innerHeight ? Math.max(8, Math.min(top, innerHeight - 8) - height) : bottom;
  menu.style.left = `${Math.min(Math.max(8, x), innerWidth - width - 8)}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
}

function turnInto(view: EditorView, block: Block, kind: BlockKind): void {
  const { state } = view;
  let { to } = block;
  if (kind === 'text' || kind === 'callout' || block.name === 'Blockquote') {
    const changes = state.changes(kind === 'callout' ? toCallout(state, block) : toText(state, block));
    to = changes.mapPos(to, 1);
    dispatchInput(view, { changes, selection: { anchor: to } });
    if (kind === 'text' || kind === 'callout') return;
  }
  view.dispatch({ selection: { anchor: block.from, head: to } });
  commands[kind]!(view);
  view.dispatch({ selection: { anchor: view.state.selection.main.to } });
}
