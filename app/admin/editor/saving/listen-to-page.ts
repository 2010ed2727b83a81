import { textChangeEvent } from '#app/admin/editor/model/text-source.ts';
import { isUploading } from '#app/admin/media/running-uploads.ts';

/** Reports the events of the editor's form and its page. */
export function listenToPage(
  form: HTMLFormElement,
  options: {
    /** Somebody has typed or chosen something. */
    onChange: () => void;
    /** The network is back, or the page is visible again. */
    onReturn: () => void;
    onHidden: () => void;
    /** The browser leaves the page (`pagehide`). */
    onEnd: () => void;
    /** The page is shown, also from the browser's back/forward cache. */
    onShownAgain: () => void;
    /** When false, or while a file is being uploaded, the browser asks before it leaves the page. */
    mayLeave: () => boolean;
    signal: AbortSignal;
  },
): void {
  const { signal } = options;
  const onInput = ({ target }: Event) => {
    // The live editor announces its own changes; a chosen file is not part of the form.
    if (target instanceof HTMLInputElement && (!target.name || target.type === 'file')) return;
    if (target instanceof HTMLElement && target.isContentEditable) return;
    options.onChange();
  };
  const onVisibility = () =>
    document.visibilityState === 'visible' ? options.onReturn() : options.onHidden();
  const onLeave = (event: BeforeUnloadEvent) => {
    if (isUploading() || !options.mayLeave()) event.preventDefault();
  };
  form.addEventListener('input', onInput, { signal });
  form.addEventListener(textChangeEvent, options.onChange, { signal });
  window.addEventListener('online', options.onReturn, { signal });
  document.addEventListener('visibilitychange', onVisibility, { signal });
  window.addEventListener('pagehide', options.onEnd, { signal });
  window.addEventListener('pageshow', options.onShownAgain, { signal });
  window.addEventListener('beforeunload', onLeave, { signal });
}
