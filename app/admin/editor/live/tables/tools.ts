import { button } from '#app/admin/editor/live/base/dom.ts';
import type { Words } from '#app/ui/words.ts';
import type { GridAction } from './actions.ts';

interface GridToolsOptions {
  actions: readonly GridAction[];
  alignment: HTMLElement;
  run(action: GridAction): void;
  /** Shows the table as Markdown. */
  toMarkdown(): void;
}

/** The buttons below a table of the live editor. */
export function gridTools(t: Words, { actions, alignment, run, toMarkdown }: GridToolsOptions): HTMLElement {
  const row = document.createElement('div');
  row.className = 'md-grid-tools';
  row.setAttribute('role', 'group');
  row.setAttribute('aria-label', t('Rows and columns'));
  for (const action of actions)
    row.append(button(t(action.sign), () => run(action), { name: t(action.label), keepsFocus: true }));
  row.append(alignment, button('Markdown', toMarkdown, { name: t('Edit the table as Markdown') }));
  return row;
}
