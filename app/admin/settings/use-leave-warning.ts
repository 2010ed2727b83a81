import { useEffect, type RefObject } from 'react';

/** The browser asks before somebody leaves a form in which something was changed and not sent. */
export function useLeaveWarning(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    let isChanged = false;
    const ended = new AbortController();
    const { signal } = ended;
    element.addEventListener('input', () => (isChanged = true), { signal });
    element.addEventListener('submit', () => (isChanged = false), { signal });
    const onLeave = (event: BeforeUnloadEvent) => {
      if (isChanged) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave, { signal });
    return () => ended.abort();
  }, [form]);
}
