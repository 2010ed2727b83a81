import type { IconName } from '#app/ui/icon.tsx';
import { shortcutKey } from '#app/ui/keys.ts';

/** How a tool looks in the toolbar and the `/` menu. `key` is pressed with Ctrl, or ⌘ on a Mac. */
interface ToolLook {
  label: string;
  icon?: IconName;
  /** Shown in menus; the toolbar has only tools with `icon`. */
  menuIcon?: IconName;
  key?: string;
  shift?: true;
  /** The description in the `/` menu; absent: the tool is not in that menu. */
  inMenu?: string;
}

const catalogue = [
  { name: 'bold', label: 'Bold', icon: 'bold', key: 'b' },
  { name: 'italic', label: 'Italic', icon: 'italic', key: 'i' },
  { name: 'heading2', label: 'Heading', icon: 'heading', key: 'h', shift: true, inMenu: 'Starts a section' },
  { name: 'heading3', label: 'Subheading', menuIcon: 'heading', inMenu: 'Starts a subsection' },
  { name: 'link', label: 'Link', icon: 'link', key: 'k' },
  { name: 'list', label: 'List', icon: 'list', key: '8', shift: true, inMenu: 'With bullets' },
  { name: 'numbers', label: 'Numbered list', icon: 'numbers', key: '7', shift: true, inMenu: '1, 2, 3' },
  { name: 'tasks', label: 'Task list', icon: 'tasks', key: '9', shift: true, inMenu: 'With checkboxes' },
  {
    name: 'quote',
    label: 'Quote',
    icon: 'quote',
    key: 'q',
    shift: true,
    inMenu: 'A passage from another source',
  },
  { name: 'code', label: 'Code', icon: 'code', key: 'e' },
  {
    name: 'codeblock',
    label: 'Code block',
    menuIcon: 'source',
    inMenu: 'Name its language on the first line',
  },
  { name: 'table', label: 'Table', icon: 'table', inMenu: 'Rows and columns' },
  { name: 'picture', label: 'Upload pictures', menuIcon: 'image', inMenu: 'From this device' },
  {
    name: 'library',
    label: 'Picture from the library',
    menuIcon: 'media',
    inMenu: 'One you already uploaded',
  },
  { name: 'gallery', label: 'Gallery', menuIcon: 'gallery', inMenu: 'Several pictures in a row' },
  { name: 'post', label: 'Link to a post', menuIcon: 'posts', inMenu: 'Search by title; [[ does the same' },
  { name: 'snippet', label: 'Snippets', menuIcon: 'copy', inMenu: 'Text that you saved for reuse' },
  { name: 'embed', label: 'Embed', menuIcon: 'embed', inMenu: 'A link on its own line' },
  { name: 'footnote', label: 'Footnote', icon: 'footnote', inMenu: 'A note at the end of the text' },
  { name: 'callout', label: 'Call-out', menuIcon: 'info', inMenu: 'A highlighted note' },
  { name: 'tip', label: 'Tip', menuIcon: 'info', inMenu: 'Call-out' },
  { name: 'important', label: 'Important', menuIcon: 'info', inMenu: 'Call-out' },
  { name: 'warning', label: 'Warning', menuIcon: 'info', inMenu: 'Call-out' },
  { name: 'caution', label: 'Caution', menuIcon: 'info', inMenu: 'Call-out' },
  { name: 'film', label: 'Video', menuIcon: 'film', inMenu: 'From this device' },
  { name: 'audio', label: 'Audio', menuIcon: 'audio', inMenu: 'From this device' },
  { name: 'formula', label: 'Formula', menuIcon: 'formula', inMenu: 'LaTeX' },
  { name: 'toggle', label: 'Toggle', menuIcon: 'down', inMenu: 'Collapsible text' },
  { name: 'button', label: 'Button', menuIcon: 'button', inMenu: 'A link that stands out' },
  { name: 'bookmark', label: 'Bookmark', menuIcon: 'bookmark', inMenu: 'A link as a card' },
  { name: 'divider', label: 'Divider', menuIcon: 'divider', inMenu: 'A line between two parts' },
  { name: 'strike', label: 'Strike through', icon: 'strike' },
  { name: 'find', label: 'Find and replace', key: 'f' },
] as const satisfies readonly (ToolLook & { name: string })[];

export type ToolName = (typeof catalogue)[number]['name'] | 'undo' | 'redo';

export interface Tool extends ToolLook {
  name: ToolName;
}

/** Every tool, in the order of the toolbar. */
export const tools: readonly Tool[] = catalogue;

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
  return (
    pageActionOf(press) !== null ||
    ['link', 'find'].includes(toolOf(press) ?? '') ||
    isPressed(press, { key: 'p' })
  );
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
