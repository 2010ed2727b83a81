import { acceptCompletion, completionStatus } from '@codemirror/autocomplete';
import { Prec, type Extension } from '@codemirror/state';
import { keymap, ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view';
import type { Words } from '#app/ui/words.ts';
import type { ToolName } from './base/tools.ts';
import { slashTools } from './menus.ts';

/**
 * While the menu of `/` or `[[` is still searching, Enter chooses its first entry instead of starting a new line.
 * @param run executes a tool of the `/` menu
 */
export function takeFirstAtEnter(run: (name: ToolName) => void, t: Words): Extension {
  const plugin = ViewPlugin.fromClass(WaitForMenu);
  const onEnter = (view: EditorView): boolean => {
    if (completionStatus(view.state) !== 'pending') return false;
    const { head } = view.state.selection.main;
    const before = view.state.sliceDoc(view.state.doc.lineAt(head).from, head);
    if (/\[\[[^[\]]*$/.test(before)) {
      view.plugin(plugin)!.isWaiting = true;
      return true;
    }
    const [, typed] = /(?:^|\s)\/([\p{L} -]{0,24})$/u.exec(before) ?? [];
    const tool = typed === undefined ? undefined : slashTools(typed, t)[0];
    if (!tool) return false;
    view.dispatch({ changes: { from: head - typed!.length - 1, to: head }, userEvent: 'input' });
    run(tool.name);
    return true;
  };
  return [plugin, Prec.highest(keymap.of([{ key: 'Enter', run: onEnter }]))];
}

/** After an early Enter, chooses the first post of the `[[` menu when the posts arrive from the server. */
class WaitForMenu {
  isWaiting = false;

  update({ view, state, docChanged }: ViewUpdate): void {
    if (!this.isWaiting) return;
    const status = completionStatus(state);
    // Further typing continues the search.
    if (docChanged || status === null) this.isWaiting = false;
    else if (status === 'active') {
      this.isWaiting = false;
      queueMicrotask(() => acceptCompletion(view));
    }
  }
}
