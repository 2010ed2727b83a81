import { AppError } from '#app/platform/errors.ts';
import type { ContentSource } from '../neutral-post.ts';
export async function openGhostExport(
  _file: string,
  _options: { now: Date; mediaFolder: string | null; redirectsFile: string | null },
): Promise<ContentSource> {
  throw new AppError('invalid_input', 'soon');
}
