import { withoutQuery } from '#app/platform/http/paths.ts';

const image = /\.(png|jpe?g|gif|webp|avif|svg)$/i;
const other = /\.(mp3|m4a|ogg|oga|opus|wav|flac|mp4|m4v|mov|webm|pdf)$/i;

/** True for an address with the ending of a picture. */
export function isImageName(address: string): boolean {
  return image.test(withoutQuery(address));
}

/** True for an address with the ending of a file that the library takes: a picture, a sound, a film, a document. */
export function isLibraryName(address: string): boolean {
  return isImageName(address) || other.test(withoutQuery(address));
}

/** Like `isLibraryName`, for the path of a file, which may contain a `#` or `?`. */
export function isLibraryFile(file: string): boolean {
  return isLibraryName(file) || image.test(file) || other.test(file);
}
