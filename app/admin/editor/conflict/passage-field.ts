/** The name of the field that says which version of a changed passage the result has. */
export function passageField(number: number): string {
  return `passage-${number}`;
}
