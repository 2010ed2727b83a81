import type { PageLink } from '#app/posts/lists/pages.server.ts';
import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { encodePath } from '#app/posts/paths.ts';
import { LeadCover } from '#app/site/covers/cover-image.tsx';
import { textLanguage } from '#app/site/shell/page-language.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { deferFrames } from './deferred-frames.ts';
import { TableOfContents } from './table-of-contents.tsx';
import { Translations } from './translations.tsx';

/** A page: its breadcrumbs, its text and links to its subpages. No date and no author. */
export function PageView({
  page,
  above = [],
  below = [],
}: {
  page: PostArticle;
  above?: PageLink[];
  below?: PageLink[];
}) {
  const { messages } = useSite();
  return (
    <article className="article article-page" {...textLanguage(page.language)}>
      <header className="article-header">
        {above.length > 0 ? (
          <nav className="kicker" aria-label={messages.breadcrumb}>
            {above.map(({ slug, title }) => (
              <a key={slug} href={encodePath(slug)}>
                {title}
              </a>
            ))}
          </nav>
        ) : null}
        <h1>{page.title}</h1>
        <Translations of={page} />
      </header>
      <LeadCover of={page} />
      <TableOfContents headings={page.headings} wordCount={page.wordCount} />
      <div className="prose" dangerouslySetInnerHTML={{ __html: deferFrames(page.bodyHtml) }} />
      {below.length > 0 ? (
        <nav className="pages-below" aria-label={messages.pagesBelow}>
          <ul>
            {below.map(({ slug, title }) => (
              <li key={slug}>
                <a href={encodePath(slug)}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </article>
  );
}
