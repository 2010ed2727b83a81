import { useEffect, useState, type RefObject } from 'react';

/** A picture that can be a post's cover. */
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
