/** Old paths by their targets. Rules with patterns cannot be kept. */
export interface ReadRedirects {
  /** Path (decoded, no slash at the end) → old paths. */
  byTarget: Map<string, string[]>;
  /** In words. */
  leftOut: string[];
}

/** The rules of a redirects file. Rules that match no post and no tag are listed at the end. */
export class Redirects {
  private readonly rules: ReadRedirects;
  private readonly taken = new Set<string>();

  constructor(rules: ReadRedirects) {
    this.rules = rules;
  }

  /** The old paths that redirect to a path of the old site. */
  take(target: string): string[] {
    this.taken.add(target);
    return this.rules.byTarget.get(target) ?? [];
  }

  /** What could not be imported, in words. */
  notes(): string[] {
    const lost = [...this.rules.byTarget].filter(([target]) => !this.taken.has(target));
    return [
      ...this.rules.leftOut,
      ...lost.flatMap(([target, paths]) =>
        paths.map((path) => `The redirect from ${path} to ${target} leads to nothing here and was left out.`),
      ),
    ];
  }
}
