/** Progress of a long job. */
export interface Progress {
  /** The step, such as `Copying media`. */
  step: string;
  done: number;
  total: number;
}

export type ReportProgress = (progress: Progress) => void;
