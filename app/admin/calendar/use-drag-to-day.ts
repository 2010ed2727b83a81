import { useEffect, type RefObject } from 'react';

/** Lets people drag a scheduled post to another day, if scripts run. The post's form then sends the move. */
export function useDragToDay(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const ended = new AbortController();
    const { signal } = ended;
    const movable = element.querySelectorAll<HTMLElement>('[data-movable]');
    for (const entry of movable) entry.draggable = true;
    let dragged: HTMLElement | null = null;
    const dayOf = (event: Event) => (event.target as Element).closest<HTMLElement>('[data-day]');
    const mark = (day: HTMLElement | null) => {
      element.querySelector('.day-target')?.classList.remove('day-target');
      day?.classList.add('day-target');
    };
    element.addEventListener(
      'dragstart',
      (event) => {
        dragged = (event.target as Element).closest<HTMLElement>('[data-movable]');
        if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
      },
      { signal },
    );
    element.addEventListener(
      'dragover',
      (event) => {
        const day = dayOf(event);
        if (!dragged || !day) return;
        event.preventDefault();
        mark(day);
      },
      { signal },
    );
    element.addEventListener(
      'dragend',
      () => {
        dragged = null;
        mark(null);
      },
      { signal },
    );
    element.addEventListener(
      'drop',
      (event) => {
        const day = dayOf(event)?.dataset.day;
        const form = dragged?.querySelector('form');
        const time = form?.querySelector<HTMLInputElement>('[name=publishedAt]');
        if (!day || !form || !time) return;
        event.preventDefault();
        if (time.value.startsWith(day)) return;
        time.value = `${day}${time.value.slice(10)}`;
        form.requestSubmit(form.querySelector<HTMLElement>('button'));
      },
      { signal },
    );
    return () => ended.abort();
  }, [list]);
}
