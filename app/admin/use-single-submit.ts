import { useEffect } from 'react';

/** Milliseconds after which another press of the button counts. */
const AGAIN_AFTER_MS = 6_000;

/** A second press of a form's button while the first one is on its way does nothing. */
export function useSingleSubmit(): void {
  useEffect(() => {
    const sent = new WeakMap<EventTarget, number>();
    const onSubmit = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement;
      if (event.defaultPrevented || form.method !== 'post') return;
      if (event.timeStamp - (sent.get(form) ?? -Infinity) < AGAIN_AFTER_MS) event.preventDefault();
      else sent.set(form, event.timeStamp);
    };
    // A page that comes back from the browser's cache starts again.
    const onReturn = (event: PageTransitionEvent) => {
      if (event.persisted) for (const form of document.forms) sent.delete(form);
    };
    document.addEventListener('submit', onSubmit);
    window.addEventListener('pageshow', onReturn);
    return () => {
      document.removeEventListener('submit', onSubmit);
      window.removeEventListener('pageshow', onReturn);
    };
  }, []);
}
