const SHOWN = 100;

/** The problems of a backup as texts. Keeps the first hundred and counts the others. */
export class ProblemList {
  readonly list: string[] = [];
  private left = 0;

  add(problem: string): void {
    if (this.list.length < SHOWN) this.list.push(problem);
    else this.left += 1;
  }

  summary(): string[] {
    return this.left === 0 ? this.list : [...this.list, `${this.left} more problems.`];
  }
}
