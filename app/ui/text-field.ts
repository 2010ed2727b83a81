const fields = 'textarea, select, input:not([type=checkbox], [type=radio], [type=file])';

/** True for what takes the letters that somebody types: a field, or a text that can be edited. */
export function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(fields));
}
