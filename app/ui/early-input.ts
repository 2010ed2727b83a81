type Control = HTMLTextAreaElement | HTMLSelectElement;

const early = new Map<Control, string>();

/**
 * Remembers what is typed before React takes over: React 18 sets a textarea and a select back to what the page
 * came with when it hydrates them, and whoever typed on a slow connection lost those words.
 */
export function rememberEarlyInput(): void {
  for (const control of document.querySelectorAll<Control>('textarea, select'))
    if (isChanged(control)) early.set(control, control.value);
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
      if (!hydrated.has(target)) early.set(target, target.value);
  });
}

const hydrated = new WeakSet<Control>();

/** The `ref` of a control that gives back what was typed into it too early. */
export function restoreEarlyInput(control: Control | null): void {
  if (!control || hydrated.has(control)) return;
  hydrated.add(control);
  const typed = early.get(control);
  early.delete(control);
  if (typed !== undefined && typed !== control.value) control.value = typed;
}

function isChanged(control: Control): boolean {
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue;
  return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
}
