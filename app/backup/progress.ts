/** How far a long job has come. */
export interface Progress {
  /** What is being done, such as `Copying media`. */
  step: string;
  done: number;
  total: number;
}

export type ReportProgress = (progress: Progress) => void;
