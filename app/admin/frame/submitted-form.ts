/** The text fields of a form, in the order in which they were sent. */
export class SubmittedForm {
  readonly entries: readonly (readonly [name: string, value: string])[];
  /** The value of each name; the last one of a repeated name. */
  readonly values: Readonly<Record<string, string>>;
  /** True if the form had files, which are not kept. */
  readonly hadFiles: boolean;

  constructor(entries: readonly (readonly [name: string, value: string])[], { hadFiles = false } = {}) {
    this.entries = entries;
    this.values = Object.fromEntries(entries);
    this.hadFiles = hadFiles;
  }

  /** Every value of a name that may be repeated. */
  all(name: string): string[] {
    return this.entries.flatMap(([key, value]) => (key === name ? [value] : []));
  }
}
