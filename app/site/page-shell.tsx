import type { ReactNode } from 'react';
import { languageName } from './language-name.ts';
import { FooterMenu, HeaderMenu } from './menu.tsx';
import { SearchForm } from './search-form.tsx';
import { SocialLinks } from './social-icons.tsx';
import { useSite } from './use-site.ts';

/** What is around every page: skip link, header, footer. */
export function PageShell({ children }: { children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}

function SiteHeader() {
  const { title, logo, header, messages, prefix } = useSite();
  return (
    <header className="site-header">
      <a className="skip-link" href="#content">
        {messages.skipToContent}
      </a>
      <a className="site-title" href={prefix || '/'}>
        {logo ? (
          <img
            src={logo.src}
            srcSet={logo.srcSet || undefined}
            sizes="120px"
            alt=""
            width={logo.width ?? undefined}
            height={logo.height ?? undefined}
          />
        ) : null}
        {title}
      </a>
      <HeaderMenu entries={header} />
      <SearchForm compact />
    </header>
  );
}

function SiteFooter() {
  const { title, footer, footerText, socialLinks, messages } = useSite();
  return (
    <footer className="site-footer">
      <p>{footerText || title}</p>
      <nav aria-label={messages.footerNavigation}>
        {footer.length > 0 ? <FooterMenu entries={footer} /> : <UsualLinks />}
      </nav>
      <SocialLinks links={socialLinks} />
      <Languages />
    </footer>
  );
}

function UsualLinks() {
  const { messages, prefix } = useSite();
  return (
    <ul>
      <li>
        <a href={`${prefix}/archive`}>{messages.archive}</a>
      </li>
      <li>
        <a href={`${prefix}/categories`}>{messages.categories}</a>
      </li>
      <li>
        <a href={`${prefix}/tags`}>{messages.tags}</a>
      </li>
      <li>
        <a href={`${prefix}/rss.xml`}>{messages.feed}</a>
      </li>
    </ul>
  );
}

/** The site in its other languages, each under its own name. */
function Languages() {
  const { siteLanguage, otherLanguages, language, postsPath, messages } = useSite();
  if (otherLanguages.length === 0) return null;
  return (
    <nav className="site-languages" aria-label={messages.languages}>
      <ul>
        {[siteLanguage, ...otherLanguages].map((tag) => (
          <li key={tag}>
            <a
              href={tag === siteLanguage ? postsPath : `/${tag}`}
              hrefLang={tag}
              lang={tag}
              aria-current={tag === language ? 'true' : undefined}
            >
              {languageName(tag)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
