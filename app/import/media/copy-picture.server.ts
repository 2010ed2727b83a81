import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { storeMedia, type MediaApp, type StoredMedia } from '#app/media/library/store-media.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { MediaFetcher, type FetchOptions } from './fetch.server.ts';

const ADDRESS_CHARACTERS = 2_000;

/**
 * Copies a picture of another site into the media library, by the same rules as an import: never from a network that
 * is not public.
 * @throws AppError `invalid_input` with the reason; then nothing was stored.
 */
export async function copyPicture(
  app: MediaApp,
  { address, uploadedById }: { address: string; uploadedById: string },
  options: FetchOptions = {},
): Promise<StoredMedia> {
  if (address.length > ADDRESS_CHARACTERS || !URL.canParse(address))
    throw new AppError('invalid_input', 'That is no address of a picture.');
  const fetcher = new MediaFetcher(options);
  try {
    const fetched = await fetcher.fetch(address);
    if ('problem' in fetched)
      throw new AppError('invalid_input', `The picture could not be fetched: ${fetched.problem}.`);
    const { file } = fetched;
    return await storeMedia(app, {
      bytes: await readFile(file),
      originalName: path.basename(file),
      uploadedById,
    });
  } finally {
    await fetcher.close();
  }
}
