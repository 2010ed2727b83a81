type Control = HTMLTextAreaElement | HTMLSelectElement;

interface Typed {
  value: string;
  /** The caret's position; null for a select. */
  caret: readonly [start: number, end: number] | null;
}

const early = new Map<Control, Typed>();
const hydrated = new WeakSet<Control>();

/**
 * Records what is typed before React hydrates the page: React 18 resets a textarea and a select to their first
 * values, so text that was typed on a slow connection would be lost.
 */
export function rememberEarlyInput(): void {
  for (const control of document.querySelectorAll<Control>('textarea, select'))
    if (isChanged(control)) remember(control);
  const onInput = ({ target }: Event) => {
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
      if (!hydrated.has(target)) remember(target);
  };
  // Before React's own listener at the document: an input event makes it hydrate at once.
  window.addEventListener('input', onInput, { capture: true });
}

/** The `ref` of a control; restores what was typed into it before hydration. */
export function restoreEarlyInput(control: Control | null): void {
  if (!control || hydrated.has(control)) return;
  hydrated.add(control);
  const typed = early.get(control);
  early.delete(control);
  if (typed === undefined || typed.value === control.value) return;
  control.value = typed.value;
  if (control instanceof HTMLTextAreaElement && typed.caret) control.setSelectionRange(...typed.caret);
}

function remember(control: Control): void {
  const isText = control instanceof HTMLTextAreaElement;
  const caret = isText ? ([control.selectionStart, control.selectionEnd] as const) : null;
  early.set(control, { value: control.value, caret });
}

function isChanged(control: Control): boolean {
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue;
  return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
}
