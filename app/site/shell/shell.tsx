import type { ReactElement, ReactNode } from 'react';
import { SubscribeForm } from '#app/site/newsletter/subscribe-form.tsx';
import { languageName } from './language-name.ts';
import { FooterMenu, HeaderMenu } from './menu.tsx';
import { SearchForm } from './search-form.tsx';
import { SocialLinks } from './social-icons.tsx';
import { SiteContext, useSite, type ShownSite } from './use-site.ts';

/** What is around every page: skip link, announcement, header, footer. */
export function PageShell({ children }: { children: ReactNode }) {
  const { shell } = useSite();
  return (
    <>
      <SkipLink />
      <AnnouncementBar />
      <header className="site-header" {...content(shell?.header, <HeaderContent />)} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-footer" {...content(shell?.footer, <FooterContent />)} />
    </>
  );
}

/** Renders what all pages of a site show in their header and footer. `PageShell` then inserts the HTML. */
export function renderShell(site: ShownSite, render: (part: ReactElement) => string): void {
  const inSite = (part: ReactElement) =>
    render(<SiteContext.Provider value={site}>{part}</SiteContext.Provider>);
  site.shell ??= { header: inSite(<HeaderContent />), footer: inSite(<FooterContent />) };
}

/** The content of an element: HTML if it was rendered before, else components. */
function content(html: string | undefined, parts: ReactElement) {
  return html === undefined ? { children: parts } : { dangerouslySetInnerHTML: { __html: html } };
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

function HeaderContent() {
  const { title, logo, header, headerButton, prefix } = useSite();
  return (
    <>
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
    </>
  );
}

function FooterContent() {
  const { title, footerText, footerStyle, socialLinks } = useSite();
  if (footerStyle === 'large') return <LargeFooter />;
  return (
    <>
      <p>{footerText || title}</p>
      <FooterLinks />
      <SocialLinks links={socialLinks} />
      <Languages />
      <SubscribeForm />
    </>
  );
}

/** The site's name and description beside a menu in columns. */
function LargeFooter() {
  const { title, description, footerText, socialLinks, isOtherLanguage } = useSite();
  return (
    <>
      <div className="footer-about">
        <p className="footer-title">{title}</p>
        {description && !isOtherLanguage ? <p>{description}</p> : null}
        <SocialLinks links={socialLinks} />
      </div>
      <FooterLinks />
      <Languages />
      {footerText ? <p className="footer-text">{footerText}</p> : null}
      <SubscribeForm />
    </>
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
