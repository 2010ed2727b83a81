import { useEffect, useState, type RefObject } from 'react';
import { isSmallPicture } from '#app/media/encode/limits.ts';
import { pictureColumns, publicImage } from '#app/posts/pictures/public-image.ts';

export interface Thumbnail {
  id: string;
  src: string;
  alt: string;
  name: string;
  /** Its larger versions. */
  srcSet: string | undefined;
  /** Of the picture itself, if it is so narrow that its readers see it at its size as a cover. */
  smallWidth: number | null;
}

export const thumbnailColumns = {
  id: true,
  ...pictureColumns,
  originalName: true,
} as const;

export function mediaThumbnail(
  row: Parameters<typeof publicImage>[0] & { id: string; originalName: string },
): Thumbnail {
  const image = publicImage(row);
  const smallest = image.srcSet.split(', ')[0]?.split(' ')[0];
  return {
    id: row.id,
    src: smallest || image.src,
    alt: row.alt,
    name: row.originalName,
    srcSet: image.srcSet || undefined,
    smallWidth: smallWidthOf(row),
  };
}

/** The width of a picture that is too narrow for a cover; null for any other. */
export function smallWidthOf(picture: { width: number | null; mimeType: string }): number | null {
  return isSmallPicture(picture) ? picture.width : null;
}

export interface Cover {
  id: string;
  src: string;
  alt: string;
}

/** The current covers of the form's choice, with new uploads. */
export function useCovers(form: RefObject<HTMLFormElement | null>): Cover[] {
  const [covers, setCovers] = useState<Cover[]>([]);
  useEffect(() => {
    const list = form.current!.querySelector('.covers')!;
    const read = () =>
      setCovers(
        [...list.querySelectorAll<HTMLInputElement>('[name=coverMediaId]')].flatMap((input) => {
          const image = input.parentElement?.querySelector('img');
          return image ? [{ id: input.value, src: image.src, alt: image.alt }] : [];
        }),
      );
    const observer = new MutationObserver(read);
    observer.observe(list, { childList: true });
    read();
    return () => observer.disconnect();
  }, [form]);
  return covers;
}
