import type { ReactElement, ReactNode } from 'react';
import type { PostLink } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import type { MenuEntry } from '#app/settings/parse.ts';
import { SubscribeForm } from '#app/site/newsletter/subscribe-form.tsx';
import { wordsLanguage, languageName } from './frame.ts';
import { SocialLinks } from './social-icons.tsx';
import { useSite, SiteContext, type ShownSite } from './use-site.ts';

/** The most entries that a phone shows without a button. A sticky header always has the button, to stay in one row. */
const IN_A_ROW = 4;

// React 18's types do not know the popover attributes yet.
const popover = { id: 'site-menu', popover: 'auto' } as const;
const popoverButton = { popovertarget: 'site-menu' } as const;

/** The header's menu. On a phone, a long menu and that of a sticky header are a sheet, which opens without a script. */
function HeaderMenu({ entries }: { entries: MenuEntry[] }) {
  const { messages, headerPlace } = useSite();
  if (entries.length === 0) return null;
  const isSheet = entries.length > IN_A_ROW || headerPlace === 'sticky';
  return (
    <>
      {isSheet ? (
        <button type="button" className="menu-button" aria-label={messages.menu} {...popoverButton} />
      ) : null}
      <nav className="site-nav" aria-label={messages.mainNavigation} {...(isSheet ? popover : {})}>
        <ul>
          {entries.map(({ label, href, children }) => (
            <li key={`${label} ${href}`} className={children.length > 0 ? 'has-submenu' : undefined}>
              <a href={href}>{label}</a>
              {children.length > 0 ? (
                <details className="submenu" name="submenu">
                  <summary aria-label={messages.more(label)} />
                  <Links entries={children} />
                </details>
              ) : null}
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

/** The footer's menu: a row of links, or columns where entries have others below them. */
function FooterMenu({ entries }: { entries: MenuEntry[] }) {
  if (entries.every(({ children }) => children.length === 0)) return <Links entries={entries} />;
  return (
    <ul className="columns">
      {entries.map(({ label, href, children }) => (
        <li key={`${label} ${href}`}>
          <a href={href}>{label}</a>
          {children.length > 0 ? <Links entries={children} /> : null}
        </li>
      ))}
    </ul>
  );
}

function Links({ entries }: { entries: { label: string; href: string }[] }) {
  return (
    <ul>
      {entries.map(({ label, href }) => (
        <li key={`${label} ${href}`}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  );
}

/** A plain GET form. `compact`: the one in the header, which every page has once. */
export function SearchForm({ query = '', compact = false }: { query?: string; compact?: boolean }) {
  const { messages, prefix } = useSite();
  const { search } = messages;
  const id = compact ? 'site-search' : 'page-search';
  return (
    <form
      className={compact ? 'search search-compact' : 'search'}
      role="search"
      aria-label={compact ? search.label : search.placeholder}
      action={`${prefix}/search`}
    >
      <label className="sr-only" htmlFor={id}>
        {search.label}
      </label>
      <input
        id={id}
        type="search"
        name="q"
        defaultValue={query}
        placeholder={search.placeholder}
        maxLength={200}
        enterKeyHint="search"
      />
      {compact ? null : <button type="submit">{search.button}</button>}
    </form>
  );
}

/** Recent posts, for a page without other content. */
export function RecentPosts({ posts }: { posts: PostLink[] }) {
  const { errors } = useSite().messages;
  if (posts.length === 0) return null;
  return (
    <section className="recent-posts" aria-labelledby="recent-posts">
      <h2 id="recent-posts">{errors.recent}</h2>
      <PostLinks posts={posts} />
    </section>
  );
}

/** Titles with their dates, one a line. */
function PostLinks({ posts }: { posts: PostLink[] }) {
  const site = useSite();
  return (
    <ul className="post-links">
      {posts.map(({ slug, title, language, publishedAt }) => (
        <li key={slug}>
          <a href={encodePath(postPath(slug))} {...wordsLanguage(language, site)}>
            {title}
          </a>{' '}
          <time dateTime={publishedAt.toISOString()}>{site.longDate(publishedAt)}</time>
        </li>
      ))}
    </ul>
  );
}

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
