import type { MenuEntry } from '#app/settings/parse.ts';
import { useSite } from './use-site.ts';

/** A menu of two levels. What is below an entry opens without a script. */
export function Menu({ entries }: { entries: MenuEntry[] }) {
  const { messages } = useSite();
  return (
    <ul>
      {entries.map(({ label, href, children }) => (
        <li key={`${label} ${href}`} className={children.length > 0 ? 'has-submenu' : undefined}>
          <a href={href}>{label}</a>
          {children.length > 0 ? (
            <details className="submenu" name="submenu">
              <summary aria-label={messages.more(label)} />
              <ul>
                {children.map((child) => (
                  <li key={`${child.label} ${child.href}`}>
                    <a href={child.href}>{child.label}</a>
                  </li>
                ))}
              </ul>
            </details>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
