/** A stretch of a document: HTML, or Markdown that somebody typed. */
export type Segment = { html: string; lost?: string } | { markdown: string };
