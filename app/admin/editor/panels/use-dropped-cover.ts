import { useEffect, useRef, type RefObject } from 'react';
import { isPicture } from '#app/admin/media/upload.ts';

/**
 * Makes a picture that is dropped on the panel around `inside` the cover. A file that is dropped outside the text and
 * the file fields is ignored, since the browser would leave the page to show it.
 * @param send stores a picture and chooses it; null until scripts run
 */
export function useDroppedCover(
  inside: RefObject<HTMLElement | null>,
  send: ((file: File) => Promise<void>) | null,
): void {
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    const panel = inside.current!.closest('details')!;
    const isOverPanel = ({ target }: Event) => target instanceof Node && panel.contains(target);
    const onDrag = (event: DragEvent) => {
      if (!isUnclaimed(event)) return;
      event.preventDefault();
      event.dataTransfer!.dropEffect = isOverPanel(event) ? 'copy' : 'none';
    };
    const onDrop = (event: DragEvent) => {
      if (!isUnclaimed(event)) return;
      event.preventDefault();
      const picture = [...event.dataTransfer!.files].find(isPicture);
      if (!picture || !isOverPanel(event)) return;
      panel.open = true;
      void latest.current?.(picture);
    };
    document.addEventListener('dragover', onDrag);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onDrag);
      document.removeEventListener('drop', onDrop);
    };
  }, [inside]);
}

/** True for dragged files over an element that does not take files itself. */
function isUnclaimed({ dataTransfer, target, defaultPrevented }: DragEvent): boolean {
  if (defaultPrevented || !dataTransfer?.types.includes('Files')) return false;
  return !(target instanceof HTMLInputElement && target.type === 'file');
}
