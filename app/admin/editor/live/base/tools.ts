import type { IconName } from '#app/ui/icon.tsx';
import { shortcutKey } from '#app/ui/shortcut-key.ts';

/** One tool of the toolbar, the `/` menu and the keyboard. `key` is pressed with Ctrl, or ⌘ on a Mac. */
export interface Tool {
  name: ToolName;
  label: string;
  icon?: IconName;
  key?: string;
  shift?: true;
  /** The description in the `/` menu; absent: the tool is not in that menu. */
  inMenu?: string;
}

export type ToolName =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'code'
  | 'link'
  | 'heading2'
  | 'heading3'
  | 'quote'
  | 'list'
  | 'numbers'
  | 'tasks'
  | 'codeblock'
  | 'table'
  | 'divider'
  | 'callout'
  | 'embed'
  | 'gallery'
  | 'footnote'
  | 'picture'
  | 'library'
  | 'post'
  | 'undo'
  | 'redo';

/** Every tool, in the order of the toolbar. */
export const tools: readonly Tool[] = [
  { name: 'bold', label: 'Bold', icon: 'bold', key: 'b' },
  { name: 'italic', label: 'Italic', icon: 'italic', key: 'i' },
  { name: 'heading2', label: 'Heading', icon: 'heading', key: 'h', shift: true, inMenu: 'Starts a section' },
  { name: 'heading3', label: 'Subheading', inMenu: 'Starts a part of a section' },
  { name: 'link', label: 'Link', icon: 'link', key: 'k' },
  { name: 'list', label: 'List', icon: 'list', key: '8', shift: true, inMenu: 'With bullets' },
  { name: 'numbers', label: 'Numbered list', icon: 'numbers', key: '7', shift: true, inMenu: '1, 2, 3' },
  { name: 'tasks', label: 'Task list', icon: 'tasks', key: '9', shift: true, inMenu: 'With boxes to tick' },
  { name: 'quote', label: 'Quote', icon: 'quote', key: 'q', shift: true, inMenu: 'Somebody else’s words' },
  { name: 'code', label: 'Code', icon: 'code', key: 'e' },
  { name: 'codeblock', label: 'Code block', inMenu: 'Name its language on the first line' },
  { name: 'table', label: 'Table', icon: 'table', inMenu: 'Rows and columns' },
  { name: 'picture', label: 'Upload pictures', inMenu: 'From this device' },
  { name: 'library', label: 'Picture from the library', inMenu: 'One that was uploaded before' },
  { name: 'gallery', label: 'Gallery', inMenu: 'Several pictures in a row' },
  { name: 'post', label: 'Link to a post', inMenu: 'Search by title; [[ does the same' },
  { name: 'embed', label: 'Embed', inMenu: 'An address on a line of its own' },
  { name: 'footnote', label: 'Footnote', icon: 'footnote', inMenu: 'A note at the end of the text' },
  { name: 'callout', label: 'Call-out', inMenu: 'A note that stands out' },
  { name: 'divider', label: 'Divider', inMenu: 'A line between two parts' },
  { name: 'strike', label: 'Strike through', icon: 'strike' },
];

/** The mark that each of these tools puts before and after a text. */
export const inlineMarks: Partial<Record<ToolName, string>> = {
  bold: '**',
  italic: '_',
  strike: '~~',
  code: '`',
};

/** Keys that belong to the page, not to a tool. */
export const pageKeys = [
  { key: 's', label: 'Save', action: 'save' },
  { key: 'p', shift: true, label: 'Preview beside the text', action: 'preview' },
  { key: 'm', shift: true, label: 'Markdown source', action: 'source' },
  { key: 'f', shift: true, label: 'Focus mode', action: 'focus' },
] as const;

export type PageAction = (typeof pageKeys)[number]['action'];

interface Press {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** The page's action for a keyboard shortcut; null for other keys. */
export function pageActionOf(press: Press): PageAction | null {
  return pageKeys.find((shortcut) => isPressed(press, shortcut))?.action ?? null;
}

/** True for keys that a field within the text, such as a table's cell, leaves to the page: two of them open the palette. */
export function isForPage(press: Press): boolean {
  return pageActionOf(press) !== null || toolOf(press) === 'link' || isPressed(press, { key: 'p' });
}

/** The tool of a keyboard shortcut; null for other keys. */
export function toolOf(press: Press): ToolName | null {
  return (
    tools.find((tool) => tool.key !== undefined && isPressed(press, { ...tool, key: tool.key }))?.name ?? null
  );
}

function isPressed(press: Press, shortcut: { key: string; shift?: true }): boolean {
  if (!(press.ctrlKey || press.metaKey) || press.altKey || press.shiftKey !== Boolean(shortcut.shift))
    return false;
  return shortcutKey(press) === shortcut.key;
}
