import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext, ViewProps } from '#app/admin/frame/screen.ts';
import { ReleaseSelect } from '#app/admin/releases/select.tsx';
import { type Message } from '#app/platform/message.ts';
import { keysOf } from '#app/platform/narrow.ts';
import { siteSections, type SiteSection } from '#app/settings/site-sections.ts';
import { ColourField } from '#app/ui/colour-field.tsx';
import { Choice, TextArea, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import { PictureField } from '../media/picture-field.tsx';
import { MenuField } from './menu-field.tsx';
import type { act, load, SettingField } from './settings.server.ts';

const groupNames = {
  site: 'Site',
  navigation: 'Navigation',
  publishing: 'Publishing',
  delivery: 'Delivery',
  email: 'Email',
  newsletter: 'Newsletter',
  security: 'Security',
};

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
      <nav aria-label={t('Groups of settings')} className="tabs">
        {data.groups.map((group) => (
          <a
            key={group}
            href={adminUrl(adminContext.adminPath, 'settings', group)}
            aria-current={group === data.group ? 'page' : undefined}
          >
            {t(groupNames[group])}
          </a>
        ))}
      </nav>
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
                adminPath={adminContext.adminPath}
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
      {answer ? (
        <p className="notice" role="status">
          {t.message(answer)}
        </p>
      ) : null}
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
  adminPath,
}: {
  field: SettingField;
  value: string;
  errors: Message[] | undefined;
  adminPath: string;
}) {
  const t = useWords();
  const shared = { name: field.key, label: field.label, help: field.help, errors };
  switch (field.control) {
    case 'text':
      return <TextArea {...shared} rows={5} defaultValue={value} />;
    case 'picture':
      return <PictureField {...shared} defaultValue={value} adminPath={adminPath} />;
    case 'menu':
      return <MenuField {...shared} value={value} />;
    case 'choice':
      return (
        <Choice {...shared} defaultValue={value}>
          {field.choices?.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {t(choice.label)}
            </option>
          ))}
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
            list={field.suggestions && `${field.key}-suggestions`}
          />
          {field.suggestions ? (
            <datalist id={`${field.key}-suggestions`}>
              {field.suggestions.map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          ) : null}
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
