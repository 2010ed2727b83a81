import type { ReactNode } from 'react';
import { languageName } from './language-name.ts';
import { FooterMenu, HeaderMenu } from './menu.tsx';
import { SearchForm } from './search-form.tsx';
import { SocialLinks } from './social-icons.tsx';
import { useSite } from './use-site.ts';

/** What is around every page: skip link, announcement, header, footer. */
export function PageShell({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <AnnouncementBar />
      <SiteHeader />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}

function SkipLink() {
  return (
    <a className="skip-link" href="#content">
      {useSite().messages.skipToContent}
    </a>
  );
}

function AnnouncementBar() {
  const { announcement, messages } = useSite();
  if (!announcement) return null;
  const { label, href } = announcement;
  return (
    <aside className="announcement" aria-label={messages.announcement}>
      <p>{href ? <a href={href}>{label}</a> : label}</p>
    </aside>
  );
}

function SiteHeader() {
  const { title, logo, header, headerButton, prefix } = useSite();
  return (
    <header className="site-header">
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
      {headerButton ? (
        <a className="header-button" href={headerButton.href}>
          {headerButton.label}
        </a>
      ) : null}
    </header>
  );
}

function SiteFooter() {
  const { title, footerText, footerStyle, socialLinks } = useSite();
  if (footerStyle === 'large') return <LargeFooter />;
  return (
    <footer className="site-footer">
      <p>{footerText || title}</p>
      <FooterLinks />
      <SocialLinks links={socialLinks} />
      <Languages />
    </footer>
  );
}

/** The site's name and description beside a menu in columns. */
function LargeFooter() {
  const { title, description, footerText, socialLinks, isOtherLanguage } = useSite();
  return (
    <footer className="site-footer">
      <div className="footer-about">
        <p className="footer-title">{title}</p>
        {description && !isOtherLanguage ? <p>{description}</p> : null}
        <SocialLinks links={socialLinks} />
      </div>
      <FooterLinks />
      <Languages />
      {footerText ? <p className="footer-text">{footerText}</p> : null}
    </footer>
  );
}

function FooterLinks() {
  const { footer, messages } = useSite();
  return (
    <nav aria-label={messages.footerNavigation}>
      {footer.length > 0 ? <FooterMenu entries={footer} /> : <UsualLinks />}
    </nav>
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
