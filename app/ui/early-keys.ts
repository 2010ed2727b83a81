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
export function replayEarlyKeys(): void {
  for (const event of window.takeEarlyKeys?.() ?? []) {
    const { target } = event;
    const pressedIn = target instanceof Element && target.isConnected ? target : document.body;
    pressedIn.dispatchEvent(new KeyboardEvent('keydown', event));
  }
}
