import type { ReactNode } from 'react';
import { newsletterTexts } from '#app/newsletter/texts.ts';
import { useSite } from '#app/site/shell/use-site.ts';

/** A plain form that asks for the newsletter; nothing where there is none. */
export function SubscribeForm({ afterPost = false }: { afterPost?: boolean }) {
  const { hasNewsletter, language } = useSite();
  if (!hasNewsletter) return null;
  const texts = newsletterTexts(language);
  return (
    <section
      className={afterPost ? 'subscribe subscribe-after-post' : 'subscribe'}
      aria-label={afterPost ? `${texts.heading}: ${texts.subscribe}` : texts.heading}
    >
      <p>{texts.invitation}</p>
      <SubscribeFields />
    </section>
  );
}

/** The fields of the form. `children`: more of them. */
export function SubscribeFields({
  email,
  error,
  children,
}: {
  email?: string;
  error?: string;
  children?: ReactNode;
}) {
  const { language } = useSite();
  const texts = newsletterTexts(language);
  return (
    <form method="post" action="/subscribe" className="subscribe-form">
      <label>
        {texts.email}{' '}
        <input
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
          defaultValue={email}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'subscribe-error' : undefined}
        />
      </label>
      {error ? (
        <p id="subscribe-error" className="notice" role="alert">
          {error}
        </p>
      ) : null}
      {children}
      <input type="hidden" name="language" value={language} />
      <label hidden>
        Website <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
      <button>{texts.subscribe}</button>
    </form>
  );
}

/** Lets people choose categories; none chosen means all. */
export function CategoryChoices({
  categories,
  chosen = [],
}: {
  categories: { slug: string; name: string }[];
  chosen?: string[];
}) {
  const texts = newsletterTexts(useSite().language);
  if (categories.length === 0) return null;
  return (
    <fieldset>
      <legend>{texts.categories}</legend>
      {categories.map(({ slug, name }) => (
        <label key={slug}>
          <input type="checkbox" name="categories" value={slug} defaultChecked={chosen.includes(slug)} />{' '}
          {name}
        </label>
      ))}
    </fieldset>
  );
}
