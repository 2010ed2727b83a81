import { useEffect, useRef, useState, type RefObject } from 'react';
import { contentOf, readFields } from '#app/admin/editor/model/form-fields.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { pageUserHeader } from '#app/admin/frame/page-user.ts';
import type { CheckedForm } from './check.server.ts';

const PAUSE_MS = 400;

/**
 * The server's description of the form's publication: address, checks, suggested times.
 * @param changed a text that changes with everything that the answer depends on; null: no answer is needed now
 */
export function usePublication(
  form: RefObject<HTMLFormElement | null>,
  { adminPath, post }: { adminPath: string; post: { id: string } | null },
  changed: string | null,
): { publication: CheckedForm | null; failed: boolean } {
  const [answer, setAnswer] = useState<{ publication: CheckedForm | null; failed: boolean }>({
    publication: null,
    failed: false,
  });
  const hasAsked = useRef(false);
  const url = adminUrl(adminPath, 'publish-check') + (post ? `?post=${post.id}` : '');
  useEffect(() => {
    if (changed === null) return;
    const stopped = new AbortController();
    const ask = async () => {
      hasAsked.current = true;
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            Accept: 'application/json',
            'Content-Type': 'application/x-www-form-urlencoded',
            ...pageUserHeader(),
          },
          body: new URLSearchParams(contentOf(readFields(form.current!))),
          signal: stopped.signal,
        });
        const { data } = (await response.json()) as { data: CheckedForm | null };
        setAnswer((before) => (data ? { publication: data, failed: false } : { ...before, failed: true }));
      } catch {
        if (!stopped.signal.aborted) setAnswer((before) => ({ ...before, failed: true }));
      }
    };
    // The first request is sent at once, since the panel waits for its answer.
    const timer = setTimeout(() => void ask(), hasAsked.current ? PAUSE_MS : 0);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [form, url, changed]);
  return answer;
}
