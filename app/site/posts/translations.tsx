import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { encodePath } from '#app/posts/paths.ts';
import { languageName } from '#app/site/shell/language-name.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { oneOfEachLanguage } from './article-head.ts';

/** Links to the same text in other languages, each under its language's own name. */
export function Translations({ of: { slug: ownSlug, translations } }: { of: PostArticle }) {
  const { messages, siteLanguage } = useSite();
  const texts = oneOfEachLanguage(translations, ownSlug, siteLanguage);
  if (texts.length < 2) return null;
  return (
    <ul className="translations" aria-label={messages.translations}>
      {texts.map(({ slug, path, language }) => (
        <li key={slug}>
          {slug === ownSlug ? (
            <span aria-current="true" lang={language}>
              {languageName(language)}
            </span>
          ) : (
            <a href={encodePath(path)} hrefLang={language} lang={language} rel="alternate">
              {languageName(language)}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
