import type { MenuEntry } from '#app/settings/parse.ts';
import { useSite } from './use-site.ts';

/** The most entries that a phone shows without a button. A sticky header always has the button, to stay in one row. */
const IN_A_ROW = 4;

// React 18's types do not know the popover attributes yet.
const popover = { id: 'site-menu', popover: 'auto' } as const;
const popoverButton = { popovertarget: 'site-menu' } as const;

/** The header's menu. On a phone, a long menu and that of a sticky header are a sheet, which opens without a script. */
export function HeaderMenu({ entries }: { entries: MenuEntry[] }) {
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
export function FooterMenu({ entries }: { entries: MenuEntry[] }) {
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
