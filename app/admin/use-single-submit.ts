import { useEffect } from 'react';

/** Milliseconds after which another press of the button counts. */
const AGAIN_AFTER_MS = 6_000;

/** Ignores a second press of a form's button while the form is being sent. */
export function useSingleSubmit(): void {
  useEffect(() => {
    const sent = new WeakMap<EventTarget, number>();
    const onSubmit = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement;
      if (event.defaultPrevented || form.method !== 'post') return;
      if (event.timeStamp - (sent.get(form) ?? -Infinity) < AGAIN_AFTER_MS) event.preventDefault();
      else sent.set(form, event.timeStamp);
    };
    // On a page that the browser shows again from its cache, buttons work again.
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
