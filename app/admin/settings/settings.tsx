import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext, ViewProps } from '#app/admin/frame/screen.ts';
import { ReleaseSelect } from '#app/admin/releases/select.tsx';
import { type Message } from '#app/platform/message.ts';
import { keysOf } from '#app/platform/narrow.ts';
import { supportedLanguages } from '#app/platform/text/languages.ts';
import { siteSections, type SiteSection } from '#app/settings/site-sections.ts';
import { ColourField } from '#app/ui/colour-field.tsx';
import { Choice, Options, TextArea, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import { PictureField } from '../media/picture-field.tsx';
import { MenuField } from './menu-field.tsx';
import { LinkField, ListField, Offered, PostField, Scripted, type Suggested } from './rich-fields.tsx';
import type { act, load, SettingField } from './settings.server.ts';

type Page = SettingsData['group'] | 'appearance' | 'users' | 'webhooks' | 'system';

/** The groups as people think of them, with their pages: forms of settings, and screens that belong there. */
const areas: readonly { name: string; pages: Partial<Record<Page, string>> }[] = [
  { name: 'Site', pages: { site: 'General', navigation: 'Navigation' } },
  { name: 'Look', pages: { appearance: 'Appearance' } },
  { name: 'Publishing', pages: { publishing: 'Scheduling and files', delivery: 'Delivery' } },
  { name: 'Mail', pages: { email: 'Email server', newsletter: 'Newsletter' } },
  { name: 'People', pages: { users: 'People' } },
  { name: 'Advanced', pages: { security: 'Security', webhooks: 'Webhooks', system: 'System' } },
];

/** Pages that are screens. There is a screen “newsletter” too, so the names of all screens would not tell. */
const ownScreens = ['appearance', 'users', 'webhooks', 'system'];

type SettingsData = ViewProps<typeof load, typeof act>['data'];

export default function Settings({ data, result, adminContext }: ViewProps<typeof load, typeof act>) {
  const t = useWords();
  const values: Record<string, string | undefined> = { ...data.values, ...result?.values };
  const { chosenId } = data.releases;
  const form = useRef<HTMLFormElement>(null);
  useLeaveWarning(form);
  return (
    <>
      <div className="page-head">
        <h1>{t('Settings')}</h1>
      </div>
      <Areas group={data.group} adminContext={adminContext} />
      <form
        ref={form}
        method="post"
        className="settings"
        action={`${adminUrl(adminContext.adminPath, 'settings', data.group)}${chosenId ? `?release=${chosenId}` : ''}`}
      >
        <PageUserField />
        <Notices saved={data.saved} result={result} />
        {sectionsOf(data.fields).map(({ name, fields }) => (
          <Section key={name ?? ''} name={name}>
            {fields.map((field) => (
              <SettingControl
                key={field.key}
                field={field}
                value={values[field.key] ?? ''}
                errors={result?.errors?.[field.key]}
                adminContext={adminContext}
                categories={data.categories}
              />
            ))}
          </Section>
        ))}
        {data.indexNowKey ? (
          <p className="hint">
            {t('The key of IndexNow:')} <a href={`/${data.indexNowKey}.txt`}>{data.indexNowKey}</a>
          </p>
        ) : null}
        <ReleaseSelect
          releases={data.releases}
          values={result?.values}
          errors={result?.errors?.releaseId}
          adminContext={adminContext}
        />
        <div className="settings-save">
          <button className="primary">{t('Save settings')}</button>
        </div>
      </form>
      {data.group === 'email' ? (
        <TestMessage answer={result?.mailAnswer} adminContext={adminContext} />
      ) : null}
    </>
  );
}

/** Links to the groups, and to the pages of the one that is open. */
function Areas({ group, adminContext }: { group: SettingsData['group']; adminContext: AdminContext }) {
  const t = useWords();
  const { adminPath, screens } = adminContext;
  const shown = areas
    .map(({ name, pages }) => ({
      name,
      pages: Object.entries(pages).filter(([page]) => !ownScreens.includes(page) || screens.includes(page)),
    }))
    .filter(({ pages }) => pages.length > 0);
  const hrefOf = (page: string) =>
    ownScreens.includes(page) ? adminUrl(adminPath, page) : adminUrl(adminPath, 'settings', page);
  const open = shown.find(({ pages }) => pages.some(([page]) => page === group));
  return (
    <>
      <nav aria-label={t('Groups of settings')} className="tabs">
        {shown.map((area) => (
          <a
            key={area.name}
            href={hrefOf(area.pages[0]![0])}
            aria-current={area === open ? 'true' : undefined}
          >
            {t(area.name)}
          </a>
        ))}
      </nav>
      {open && open.pages.length > 1 ? (
        <nav aria-label={t(open.name)} className="pages-of-group">
          {open.pages.map(([page, name]) => (
            <a key={page} href={hrefOf(page)} aria-current={page === group ? 'page' : undefined}>
              {t(name)}
            </a>
          ))}
        </nav>
      ) : null}
    </>
  );
}

/** The values that a field offers, with their names in the language of the backend. */
function offeredBy(
  { offers, suggestions = [] }: SettingField,
  language: string,
  categories: SettingsData['categories'],
): Suggested[] {
  if (offers === 'categories') return categories.map(({ slug, name }) => ({ value: slug, label: name }));
  // “Berlin, Europe”: people know the city. The browser looks for what is typed in both.
  if (offers === 'time-zones')
    return ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({
      value: zone,
      label: zone.replaceAll('_', ' ').split('/').toReversed().join(', '),
    }));
  const names = offers === 'languages' ? new Intl.DisplayNames([language], { type: 'language' }) : null;
  const values = offers === 'languages' ? [...new Set([...suggestions, ...supportedLanguages])] : suggestions;
  return values.map((value) => ({ value, label: names?.of(value) ?? value }));
}

/** Groups fields by section, in the order of the sections. A short form is one group. */
function sectionsOf(fields: SettingField[]): { name?: SiteSection; fields: SettingField[] }[] {
  const names = [undefined, ...keysOf(siteSections)];
  return names
    .map((name) => ({ name, fields: fields.filter(({ section }) => section === name) }))
    .filter((section) => section.fields.length > 0);
}

function Section({ name, children }: { name?: SiteSection; children: ReactNode }) {
  const t = useWords();
  if (!name) return children;
  const id = `section-${name}`;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{t(siteSections[name])}</h2>
      {children}
    </section>
  );
}

function TestMessage({ answer, adminContext }: { answer: Message | undefined; adminContext: AdminContext }) {
  const t = useWords();
  return (
    <form method="post" className="settings" action={adminUrl(adminContext.adminPath, 'settings', 'email')}>
      <PageUserField />
      <h2>{t('Test message')}</h2>
      <Notices saved={answer} result={undefined} />
      <p className="hint">{t('Sends a message to your address with the saved settings.')}</p>
      <button name="intent" value="test">
        {t('Send test message')}
      </button>
    </form>
  );
}

function SettingControl({
  field,
  value,
  errors,
  adminContext: { adminPath, language },
  categories,
}: {
  field: SettingField;
  value: string;
  errors: Message[] | undefined;
  adminContext: AdminContext;
  categories: SettingsData['categories'];
}) {
  const t = useWords();
  const findUrl = adminUrl(adminPath, 'find');
  const suggested = offeredBy(field, language, categories);
  const rich = { value, hint: field.hint };
  const shared = { name: field.key, label: field.label, help: field.help, errors };
  switch (field.control) {
    case 'text': {
      const plain = <TextArea {...shared} rows={5} defaultValue={value} />;
      // With scripts the menu is edited in one place: as rows, on the page “Navigation”.
      return field.key === 'navigation' ? <Scripted plain={plain}>{() => null}</Scripted> : plain;
    }
    case 'picture':
      return <PictureField {...shared} defaultValue={value} adminPath={adminPath} />;
    case 'menu':
      return <MenuField {...shared} value={value} findUrl={findUrl} />;
    case 'link':
      return <LinkField {...shared} {...rich} findUrl={findUrl} />;
    case 'post':
      return <PostField {...shared} {...rich} findUrl={findUrl} />;
    case 'list':
      return <ListField {...shared} {...rich} separator="," suggested={suggested} placeholder="Add" />;
    case 'lines':
      return <ListField {...shared} {...rich} separator={'\n'} placeholder="https://…" />;
    case 'choice':
      return (
        <Choice {...shared} defaultValue={value}>
          <Options of={(field.choices ?? []).map((choice) => [choice.value, t(choice.label)])} />
          {/* A value that a command or an older version has set. */}
          {field.choices && !field.choices.some((choice) => choice.value === value) ? (
            <option value={value}>{value}</option>
          ) : null}
        </Choice>
      );
    case 'secret':
      return (
        <TextField
          {...shared}
          type="password"
          autoComplete="off"
          placeholder={field.isSet ? t('Set; leave blank to keep it') : t('Not set')}
        />
      );
    case 'number':
      return <TextField {...shared} inputMode="numeric" defaultValue={value} />;
    case 'colour':
      return <ColourField {...shared} defaultValue={value} placeholder={t('As the preset')} />;
    default:
      return (
        <>
          <TextField
            {...shared}
            defaultValue={value}
            list={suggested.length > 0 ? `${field.key}-offered` : undefined}
          />
          {suggested.length > 0 ? <Offered id={`${field.key}-offered`} of={suggested} /> : null}
        </>
      );
  }
}

/** The browser asks before somebody leaves a form in which something was changed and not sent. */
function useLeaveWarning(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    let isChanged = false;
    const ended = new AbortController();
    const { signal } = ended;
    element.addEventListener('input', () => (isChanged = true), { signal });
    element.addEventListener('submit', () => (isChanged = false), { signal });
    const onLeave = (event: BeforeUnloadEvent) => {
      if (isChanged) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave, { signal });
    return () => ended.abort();
  }, [form]);
}
