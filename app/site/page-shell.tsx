import type { ReactNode } from 'react';
import { SearchForm } from './search-form.tsx';
import { useSite } from './use-site.ts';

/** What stands around every page: skip link, header, footer. */
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
  const { title, logo, navigation, messages } = useSite();
  return (
    <header className="site-header">
      <a className="skip-link" href="#content">
        {messages.skipToContent}
      </a>
      <a className="site-title" href="/">
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
      {navigation.length > 0 ? (
        <nav className="site-nav" aria-label={messages.mainNavigation}>
          <ul>
            {navigation.map(({ label, href }) => (
              <li key={`${label} ${href}`}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <SearchForm compact />
    </header>
  );
}

function SiteFooter() {
  const { title, footerText, messages } = useSite();
  return (
    <footer className="site-footer">
      <p>{footerText || title}</p>
      <ul>
        <li>
          <a href="/archive">{messages.archive}</a>
        </li>
        <li>
          <a href="/categories">{messages.categories}</a>
        </li>
        <li>
          <a href="/tags">{messages.tags}</a>
        </li>
        <li>
          <a href="/rss.xml">{messages.feed}</a>
        </li>
      </ul>
    </footer>
  );
}
