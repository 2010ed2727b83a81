import type { SitePlan } from '#app/time-travel/prepare-site.server.ts';

/** A public address of a scratch site with its query, and the path below which the preview of the site is. */
export interface PageRequest {
  address: string;
  base: string;
}

/** An answer that can be copied between processes. */
export interface RenderedPage {
  status: number;
  headers: [name: string, value: string][];
  body: Uint8Array<ArrayBuffer>;
}

export interface PageTasks {
  /**
   * Renders a page of a prepared site as the server renders it for readers.
   * @throws AppError `unavailable` when rendering takes too long, too many requests wait, or the process was killed
   */
  renderPage(plan: SitePlan, request: PageRequest): Promise<RenderedPage>;
}
