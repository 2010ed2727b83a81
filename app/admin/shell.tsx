import { useEffect, useRef, useState, type ReactNode, Suspense } from 'react';
import { countCopies, dropAllCopies } from '#app/admin/editor/saving/local-copy.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext, MenuEntry } from '#app/admin/frame/screen.ts';
import type { TypedEarly } from '#app/admin/palette/palette.tsx';
import { Loaded, renderLater } from '#app/ui/deferred.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { isForInputMethod, shortcutKey, isTextField } from '#app/ui/keys.ts';
import { useWords } from '#app/ui/words.ts';

const loadPalette = () => import('#app/admin/palette/palette.tsx').then((module) => module.default);

/**
 * Opens the palette at Ctrl+P (⌘P), at `/` outside of text fields, and at Ctrl+K where no text takes it for a link.
 */
function usePalette(findUrl: string | null): ReactNode {
  const [isOpen, setOpen] = useState(false);
  // What is typed while the palette loads; null at any other time.
  const typed = useRef<TypedEarly | null>(null);
  const shown = useRef(false);
  const setShown = (isShown: boolean) => {
    shown.current = isShown;
    typed.current = isShown ? { text: '', isEntered: false } : null;
    setOpen(isShown);
  };
  const show = useRef(setShown);
  useEffect(() => {
    if (findUrl === null) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(isPaletteKey(event) || isSlash(event))) return;
      event.preventDefault();
      if (!shown.current) show.current(true);
    };
    const keepKey = (event: KeyboardEvent) => {
      if (typed.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') show.current(false);
      else if (isForInputMethod(event) || !addKey(typed.current, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('keydown', keepKey, true);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('keydown', keepKey, true);
    };
  }, [findUrl]);
  if (findUrl === null) return null;
  const close = () => setShown(false);
  const takeTyped = () => {
    const taken = typed.current;
    typed.current = null;
    return taken;
  };
  const props = isOpen && { findUrl, takeTyped, onClose: close };
  return <Loaded load={loadPalette} shown={props} onFailed={close} />;
}

function isPaletteKey(event: KeyboardEvent): boolean {
  const isKeys = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  return isKeys && /^[kp]$/.test(shortcutKey(event));
}

function isSlash({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isTextField(target);
}

/** Adds a key to what was typed. @returns false for a key that changes nothing in it */
function addKey(typed: TypedEarly, key: string): boolean {
  const characters = [...typed.text];
  if (key === 'Enter') typed.isEntered = true;
  else if (key === 'Backspace') typed.text = characters.slice(0, -1).join('');
  else if ([...key].length === 1) typed.text += key;
  else return false;
  return true;
}

// React 18's types do not know the popover attributes yet.
const menu = { id: 'menu', popover: 'auto' } as const;
const menuButton = { popovertarget: 'menu' } as const;

const UNSAVED =
  'This browser has text of yours that isn’t saved yet. Log out and delete it from this device?';

/** Milliseconds after which another press of the button counts. */
const AGAIN_AFTER_MS = 6_000;

interface AdminShellProps {
  adminContext: AdminContext;
  current: string;
  children: ReactNode;
}

/** The page around every screen: navigation, the site's name, who is logged in. */
export function AdminShell({ adminContext, current, children }: AdminShellProps) {
  const t = useWords();
  useSingleSubmit();
  const { user, adminPath } = adminContext;
  const palette = usePalette(user ? adminUrl(adminPath, 'find') : null);
  if (!adminContext.user)
    return (
      <main className="solo">
        <Suspense>{children}</Suspense>
      </main>
    );
  return (
    // While one writes, the menu is one button beside the bar of the editor.
    <div className={current === 'editor' ? 'frame frame-page' : 'frame'}>
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      <header className="rail">
        <div className="rail-top">
          <a className="brand" href={adminUrl(adminContext.adminPath)}>
            {adminContext.siteTitle}
          </a>
          <button type="button" className="menu-button quiet" {...menuButton}>
            <Icon name="menu" /> <span>{t('Menu')}</span>
          </button>
        </div>
        <nav className="rail-nav" aria-label={t('Backend')} {...menu}>
          <a className="button primary rail-new" href={adminUrl(adminContext.adminPath, 'posts', 'new')}>
            <Icon name="plus" /> {t('New post')}
          </a>
          {adminContext.menu.map((group, index) => (
            <Group key={index} entries={group} adminContext={adminContext} current={current} />
          ))}
          <RailEnd adminContext={adminContext} current={current} user={adminContext.user} />
        </nav>
      </header>
      <main id="main" className="content" tabIndex={-1}>
        <Suspense>{renderLater(children)}</Suspense>
      </main>
      {palette}
    </div>
  );
}

interface GroupProps {
  entries: MenuEntry[];
  adminContext: AdminContext;
  current: string;
}

function Group({ entries, adminContext, current }: GroupProps) {
  const t = useWords();
  if (entries.length === 0) return null;
  return (
    <ul className="rail-list">
      {entries.map(({ title, icon, segments, screens }) => (
        <li key={title}>
          <a
            href={adminUrl(adminContext.adminPath, ...segments)}
            aria-current={screens.includes(current) ? 'page' : undefined}
          >
            <Icon name={icon} /> {t(title)}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface RailEndProps {
  adminContext: AdminContext;
  current: string;
  user: NonNullable<AdminContext['user']>;
}

function RailEnd({ adminContext, current, user }: RailEndProps) {
  const t = useWords();
  return (
    <div className="rail-end">
      {adminContext.screens.includes('account') ? (
        <a
          href={adminUrl(adminContext.adminPath, 'account')}
          aria-current={current === 'account' ? 'page' : undefined}
        >
          <Icon name="account" /> {user.displayName}
        </a>
      ) : null}
      <a href={adminUrl(adminContext.adminPath, 'site')}>
        <Icon name="site" /> {t('View site')}
      </a>
      <form
        method="post"
        action={adminUrl(adminContext.adminPath, 'logout')}
        onSubmit={(event) => {
          if (countCopies() > 0 && !window.confirm(t(UNSAVED))) event.preventDefault();
          else dropAllCopies();
        }}
      >
        <PageUserField />
        <button className="quiet">
          <Icon name="logOut" /> {t('Log out')}
        </button>
      </form>
    </div>
  );
}

/** Ignores a second press of a form's button while the form is being sent. */
function useSingleSubmit(): void {
  useEffect(() => {
    const sent = new WeakMap<EventTarget, number>();
    const onSubmit = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement;
      if (event.defaultPrevented || form.method !== 'post') return;
      if (event.timeStamp - (sent.get(form) ?? -Infinity) < AGAIN_AFTER_MS) event.preventDefault();
      else sent.set(form, event.timeStamp);
    };
    // On a page that the browser shows again from its cache, buttons work again.
    const onReturn = (event: PageTransitionEvent) => {
      if (event.persisted) for (const form of document.forms) sent.delete(form);
    };
    document.addEventListener('submit', onSubmit);
    window.addEventListener('pageshow', onReturn);
    return () => {
      document.removeEventListener('submit', onSubmit);
      window.removeEventListener('pageshow', onReturn);
    };
  }, []);
}
