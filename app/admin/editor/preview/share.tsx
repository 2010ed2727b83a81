import { inEnglish } from '#app/platform/message.ts';
import { useWords } from '#app/ui/words.ts';
import type { PublishCheck } from './publish-checks.ts';

/** The texts and the picture of a post in search results and shared links. */
export interface SharePreviewData {
  address: string;
  title: string;
  description: string;
  cover: { src: string; alt: string; width?: number | null; height?: number | null } | null;
  /**
   * The address of the picture that is drawn for a post without a cover; null if none can be drawn, undefined until the
   * server has answered.
   */
  card: string | null | undefined;
}

/** The size of the drawn picture in pixels. */
const CARD = { width: 1200, height: 630 };

/** A post as search results and shared links would show it. */
export function SharePreview(data: SharePreviewData) {
  const t = useWords();
  return (
    <>
      <h3>{t('In search results')}</h3>
      <SearchResult {...data} />
      <h3>{t('When it is shared')}</h3>
      <SharedCard {...data} />
    </>
  );
}

export function SearchResult({ address, title, description }: SharePreviewData) {
  const t = useWords();
  return (
    <div className="look-search">
      <p className="look-address">{address}</p>
      <p className="look-title">{title}</p>
      <p className="hint">{description || t('Search engines pick a part of the text.')}</p>
    </div>
  );
}

/** The card of a shared link: a cover, or the picture that is drawn from the title. */
export function SharedCard({ title, description, cover, card }: SharePreviewData) {
  const t = useWords();
  return (
    <div className="look-card">
      {cover ? (
        <img
          src={cover.src}
          alt={cover.alt}
          width={cover.width ?? undefined}
          height={cover.height ?? undefined}
        />
      ) : card !== null ? (
        <>
          <span className="look-room">
            <span aria-hidden>{title}</span>
            {card ? <img src={card} alt={title} width={CARD.width} height={CARD.height} /> : null}
          </span>
          <p className="hint">{t('No cover: the picture is drawn from the title.')}</p>
        </>
      ) : (
        <p className="hint">{t('No cover: the link is shared without a picture.')}</p>
      )}
      <p className="look-title">{title}</p>
      <p className="hint">{description}</p>
    </div>
  );
}

/** The warnings before a post is published; they do not prevent it. */
export function CheckList({ checks }: { checks: PublishCheck[] }) {
  const t = useWords();
  return (
    <ul className="publish-checks">
      {checks.map(({ name, message }) => (
        <li key={`${name} ${inEnglish(message)}`} data-check={name}>
          {t.message(message)}
        </li>
      ))}
    </ul>
  );
}

export const NO_PROBLEMS = 'No problems: pictures, links, headings and excerpt are in order.';
