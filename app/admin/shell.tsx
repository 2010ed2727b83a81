import { Suspense, type ReactNode } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import { adminUrl } from './admin-url.ts';
import { navigation, type NavigationEntry } from './navigation.ts';
import type { Frame } from './screen.ts';
import { useSingleSubmit } from './use-single-submit.ts';

// React 18's types do not know the popover attributes yet.
const menu = { id: 'menu', popover: 'auto' } as const;
const menuButton = { popovertarget: 'menu' } as const;

/** The frame around every screen: one navigation, the site's name, who is logged in. */
export function AdminShell({
  frame,
  current,
  children,
}: {
  frame: Frame;
  current: string;
  children: ReactNode;
}) {
  useSingleSubmit();
  if (!frame.user)
    return (
      <main className="solo">
        <Suspense>{children}</Suspense>
      </main>
    );
  return (
    <div className="frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="rail">
        <div className="rail-top">
          <a className="brand" href={adminUrl(frame.adminPath)}>
            {frame.siteTitle}
          </a>
          <button type="button" className="menu-button quiet" {...menuButton}>
            <Icon name="menu" /> Menu
          </button>
        </div>
        <nav className="rail-nav" aria-label="Backend" {...menu}>
          <a className="button primary rail-new" href={adminUrl(frame.adminPath, 'posts', 'new')}>
            <Icon name="plus" /> New post
          </a>
          {navigation.map((group, index) => (
            <Group key={index} entries={group} frame={frame} current={current} />
          ))}
          <RailEnd frame={frame} current={current} user={frame.user} />
        </nav>
      </header>
      <main id="main" className="content" tabIndex={-1}>
        <Suspense>{children}</Suspense>
      </main>
    </div>
  );
}

function Group({ entries, frame, current }: { entries: NavigationEntry[]; frame: Frame; current: string }) {
  const shown = entries.filter(({ screen }) => frame.screens.includes(screen));
  if (shown.length === 0) return null;
  return (
    <ul className="rail-list">
      {shown.map(({ screen, label, icon, segments, below }) => (
        <li key={screen}>
          <a
            href={adminUrl(frame.adminPath, ...segments)}
            aria-current={screen === current || below?.includes(current) ? 'page' : undefined}
          >
            <Icon name={icon} /> {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

function RailEnd({
  frame,
  current,
  user,
}: {
  frame: Frame;
  current: string;
  user: NonNullable<Frame['user']>;
}) {
  return (
    <div className="rail-end">
      {frame.screens.includes('account') ? (
        <a
          href={adminUrl(frame.adminPath, 'account')}
          aria-current={current === 'account' ? 'page' : undefined}
        >
          <Icon name="account" /> {user.displayName}
        </a>
      ) : null}
      <a href="/">
        <Icon name="site" /> View site
      </a>
      <form method="post" action={adminUrl(frame.adminPath, 'logout')}>
        <button className="quiet">
          <Icon name="logOut" /> Log out
        </button>
      </form>
    </div>
  );
}
