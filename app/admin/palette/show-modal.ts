/**
 * Shows a modal dialog. A dialog that closes returns the focus to a field, but without its caret: what is then typed
 * is lost. A field that gets the focus in the usual way has its caret again.
 */
export function showModal(dialog: HTMLDialogElement): void {
  const field = document.activeElement;
  dialog.showModal();
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const focusAgain = () => {
    field.blur();
    field.focus({ preventScroll: true });
  };
  field.addEventListener('focus', focusAgain, { once: true });
  // Where something else gets the focus, a later click on the field is an ordinary one.
  const forget = () => setTimeout(() => field.removeEventListener('focus', focusAgain));
  dialog.addEventListener('close', forget, { once: true });
}
