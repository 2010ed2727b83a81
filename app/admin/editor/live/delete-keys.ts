import { Prec, EditorSelection, type Extension } from '@codemirror/state';
import { keymap, type Command } from '@codemirror/view';
import { partsIn, startOfWords } from './blocks/inline-parts.ts';
import { neighbour, pastMarks } from './caret-places.ts';

/** Backspace and Delete beside hidden marks take the letter or word that people see there. */
function deleteBeside(step: 1 | -1, by: 'letter' | 'word'): Command {
  return (view) => {
    const { state } = view;
    const { main, ranges } = state.selection;
    if (!main.empty || ranges.length > 1) return false;
    const at = pastMarks(state, main.head, step);
    const whole = partsIn(state, at, at).find(
      ({ kind, from, to }) => kind === 'whole' && at === (step > 0 ? from : to),
    );
    const line = state.doc.lineAt(at);
    const start = startOfWords(state, line);
    if (step < 0 && at === start && start > line.from) {
      // What removes the marks of a list looks for the caret right behind them.
      if (at !== main.head) view.dispatch({ selection: { anchor: at }, userEvent: 'select.start' });
      return false;
    }
    const below =
      step > 0 && at === line.to && at < state.doc.length ? state.doc.line(line.number + 1) : null;
    const belowStart = below ? startOfWords(state, below) : 0;
    if (at === main.head && !whole && !(below && belowStart > below.from)) return false;
    let end = neighbour(state, at, step);
    if (whole) end = step > 0 ? whole.to : whole.from;
    else if (end === at) end = below ? belowStart : Math.max(0, at - 1);
    else if (by === 'word') {
      const { head } = view.moveByGroup(EditorSelection.cursor(at), step > 0);
      end = Math.min(line.to, Math.max(line.from, head));
    }
    view.dispatch({
      changes: { from: Math.min(at, end), to: Math.max(at, end) },
      // Within the marks, so that another letter typed in its place looks like it.
      selection: { anchor: step > 0 ? main.head : end },
      scrollIntoView: true,
      userEvent: step > 0 ? 'delete.forward' : 'delete.backward',
    });
    return true;
  };
}

/** Backspace at the beginning of a heading makes a paragraph of it. */
const endHeading: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const start = startOfWords(state, line);
  if (!main.empty || main.head !== start || start === line.from || !/^ {0,3}#{1,6}[ \t]/.test(line.text))
    return false;
  view.dispatch({
    changes: { from: line.from, to: start },
    scrollIntoView: true,
    userEvent: 'delete.backward',
  });
  return true;
};

export const deleteKeys: Extension = Prec.high(
  keymap.of([
    { key: 'Backspace', run: endHeading },
    { key: 'Backspace', run: deleteBeside(-1, 'letter'), shift: deleteBeside(-1, 'letter') },
    { key: 'Delete', run: deleteBeside(1, 'letter') },
    { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: deleteBeside(-1, 'word') },
    { key: 'Mod-Delete', mac: 'Alt-Delete', run: deleteBeside(1, 'word') },
  ]),
);
