import type { Cover } from '#app/admin/editor/model/use-covers.ts';
import { useWords } from '#app/ui/words.ts';
import type { Publication } from './describe.server.ts';
import { SharePreview } from './share.tsx';

/**
 * How search results and shared links show the post of the form. `publication` is null until the server has answered.
 */
export function FormPreview({
  now,
  covers,
  publication,
  As = SharePreview,
}: {
  /** The current values of the form. */
  now: Record<'title' | 'excerpt' | 'coverMediaId' | 'seoTitle' | 'seoDescription', string>;
  covers: Cover[];
  publication: Publication | null;
  /** Shows one of both alone. */
  As?: typeof SharePreview;
}) {
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
