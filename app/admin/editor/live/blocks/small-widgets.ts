import { WidgetType, type EditorView } from '@codemirror/view';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';

/** The bullet of a list's item. */
export class BulletWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(): HTMLElement {
    const bullet = document.createElement('span');
    bullet.className = 'md-bullet';
    bullet.textContent = '•';
    return bullet;
  }
}

/** The checkbox of a task. */
export class TaskWidget extends WidgetType {
  readonly isDone: boolean;

  constructor(task: { isDone: boolean }) {
    super();
    this.isDone = task.isDone;
  }

  override eq(other: TaskWidget): boolean {
    return other.isDone === this.isDone;
  }

  toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = this.isDone;
    box.className = 'md-task';
    box.setAttribute('aria-label', wordsOf(view)('Done'));
    box.onclick = () => {
      const at = view.posAtDOM(box);
      view.dispatch({
        changes: { from: at + 1, to: at + 2, insert: this.isDone ? ' ' : 'x' },
        userEvent: 'input',
      });
    };
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
