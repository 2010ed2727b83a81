import { useEffect } from 'react';

declare global {
  interface Window {
    /** Ends the recording and returns the recorded events. */
    takeEarlyKeys?: () => KeyboardEvent[];
  }
}

/**
 * An inline script, since it must run before all others. It records Ctrl+K, Ctrl+P and Ctrl+S, for which the browser
 * would search, print or save the page. It also records what is typed after them while no field has the focus.
 */
export const recordEarlyKeys = `(() => {
  const pressed = [];
  const record = (event) => {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey, target } = event;
    const isHeld = ctrlKey || metaKey;
    const letter = /^[a-z]$/i.test(key) ? key : code.replace('Key', '');
    const isShortcut = isHeld && !shiftKey && !altKey && /^[kps]$/i.test(letter);
    const isTyped = pressed.length > 0 && !isHeld && !altKey && key.length === 1 && target === document.body;
    if (!isShortcut && !isTyped) return;
    event.preventDefault();
    pressed.push(event);
  };
  addEventListener('keydown', record, true);
  window.takeEarlyKeys = () => {
    removeEventListener('keydown', record, true);
    return pressed.splice(0);
  };
})();`;

/** Sends the recorded key events again once the page listens. */
function replayEarlyKeys(): void {
  for (const event of window.takeEarlyKeys?.() ?? []) {
    const { target } = event;
    const pressedIn = target instanceof Element && target.isConnected ? target : document.body;
    pressedIn.dispatchEvent(new KeyboardEvent('keydown', event));
  }
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Typed {
  value: string;
  /** The caret's position; null for controls without a caret. */
  caret: readonly [start: number, end: number] | null;
}

const early = new Map<Control, Typed>();
const hydrated = new WeakSet<Control>();
const stop = new AbortController();

/**
 * Records what is typed and chosen before React hydrates the page. Hydration by React 18 resets textareas and selects
 * to their first values, and the page's handlers have missed the events.
 */
export function rememberEarlyInput(): void {
  for (const control of document.querySelectorAll<Control>('textarea, select, input'))
    if (isChanged(control)) remember(control);
  const onInput = ({ target }: Event) => {
    if (isControl(target) && !hydrated.has(target)) remember(target);
  };
  // At the window, which comes before React's listener at the document: an input event makes React hydrate at once.
  window.addEventListener('input', onInput, { capture: true, signal: stop.signal });
}

/** The `ref` of a textarea or a select; restores what was typed into it before hydration. */
export function restoreEarlyInput(control: HTMLTextAreaElement | HTMLSelectElement | null): void {
  if (!control || hydrated.has(control)) return;
  hydrated.add(control);
  const typed = early.get(control);
  if (typed === undefined || typed.value === control.value) return;
  control.value = typed.value;
  moveCaret(control, typed);
}

/**
 * Repeats for the handlers of a screen what was typed and pressed before. Its effect runs after those of the screen.
 */
export function ReplayEarlyInput(): null {
  useEffect(() => {
    stop.abort();
    for (const [control, typed] of early) if (control.isConnected) replay(control, typed);
    early.clear();
    // The shell around the screen listens to keys too; its effect runs after this one.
    queueMicrotask(replayEarlyKeys);
  }, []);
  return null;
}

function replay(control: Control, typed: Typed): void {
  if (isBox(control)) return clickAgain(control);
  // The screen has written another text into the control, such as a copy that this device kept.
  if (control.value !== typed.value) return;
  // React ignores an event after which the value is the one that React last saw. So it must see the page's first value.
  if (control instanceof HTMLInputElement) control.value = control.defaultValue;
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!;
  set!.call(control, typed.value);
  moveCaret(control, typed);
  control.dispatchEvent(new Event('input', { bubbles: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Repeats the click on a checkbox, or on the chosen one of several radio buttons. A click reaches every handler. */
function clickAgain(control: HTMLInputElement): void {
  if (control.type === 'radio' && !control.checked) return;
  control.checked = !control.checked;
  control.click();
}

function remember(control: Control): void {
  if (control instanceof HTMLInputElement && ['file', 'hidden'].includes(control.type)) return;
  // A select and some kinds of fields have no caret.
  const { selectionStart = null, selectionEnd = null } = control as Partial<HTMLTextAreaElement>;
  const caret =
    selectionStart === null || selectionEnd === null ? null : ([selectionStart, selectionEnd] as const);
  early.set(control, { value: control.value, caret });
}

function moveCaret(control: Control, { caret }: Typed): void {
  if (caret && !(control instanceof HTMLSelectElement)) control.setSelectionRange(...caret);
}

const isControl = (target: EventTarget | null): target is Control =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

const isBox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type);

function isChanged(control: Control): boolean {
  if (isBox(control)) return control.checked !== control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.value !== control.defaultValue;
  const options = [...control.options];
  return control.value !== (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value;
}
