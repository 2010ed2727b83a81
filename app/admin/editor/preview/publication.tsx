import { useEffect, useRef, useState, type RefObject } from 'react';
import { contentOf, readFields } from '#app/admin/editor/model/form-fields.ts';
import type { Cover } from '#app/admin/editor/model/thumbnails.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { pageUserHeader } from '#app/admin/frame/page-user-field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { CheckedForm, Publication } from './check.server.ts';
import { SharePreview } from './share.tsx';

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
          headers: { Accept: 'application/json', ...pageUserHeader() },
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

interface FormPreviewProps {
  now: Record<'title' | 'excerpt' | 'coverMediaId' | 'seoTitle' | 'seoDescription', string>;
  covers: Cover[];
  publication: Publication | null;
  /** Shows one of both alone. */
  As?: typeof SharePreview;
}

/**
 * How search results and shared links show the post of the form. `publication` is null until the server has answered.
 */
export function FormPreview({ now, covers, publication, As = SharePreview }: FormPreviewProps) {
  const t = useWords();
  return (
    <As
      address={publication?.address ?? ''}
      title={now.seoTitle || now.title || t('Untitled')}
      description={now.seoDescription || now.excerpt || (publication?.description ?? '')}
      cover={covers.find(({ id }) => id === now.coverMediaId) ?? null}
      card={publication?.card}
    />
  );
}
