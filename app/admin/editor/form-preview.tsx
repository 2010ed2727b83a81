import type { Publication } from '#app/admin/publish/describe-publication.server.ts';
import { SharePreview } from '#app/admin/publish/share-preview.tsx';
import { useWords } from '#app/ui/words.ts';
import type { Cover } from './use-covers.ts';

/**
 * How search results and shared links show the post of the form. `publication` is null until the server has answered.
 */
export function FormPreview({
  now,
  covers,
  publication,
}: {
  /** The current values of the form. */
  now: Record<'title' | 'excerpt' | 'coverMediaId' | 'seoTitle' | 'seoDescription', string>;
  covers: Cover[];
  publication: Publication | null;
}) {
  const t = useWords();
  return (
    <SharePreview
      address={publication?.address ?? ''}
      title={now.seoTitle || now.title || t('Untitled')}
      description={now.seoDescription || now.excerpt || (publication?.description ?? '')}
      cover={covers.find(({ id }) => id === now.coverMediaId) ?? null}
      card={publication?.card}
    />
  );
}
