import { useRef, useState, type FormEvent } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField, pageUserHeader } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext, ViewProps } from '#app/admin/frame/screen.ts';
import { ReleaseSelect } from '#app/admin/releases/select.tsx';
import { type Message } from '#app/platform/message.ts';
import type { Appearance } from '#app/settings/appearance/appearance.ts';
import { ColourField } from '#app/ui/colour-field.tsx';
import { Choice, Options, TextArea } from '#app/ui/field.tsx';
import { useScripted } from '#app/ui/scripts.ts';
import { useWords } from '#app/ui/words.ts';
import type { act, load } from './appearance.server.ts';

type Data = Awaited<ReturnType<typeof load>>;

const messages: Record<string, string> = {
  saved: 'Draft saved. Readers still see the published appearance.',
  published: 'Published. Readers see the new appearance.',
  discarded: 'Draft discarded.',
};

/** The choices, by what they change. */
const groups: { label: string; keys: (keyof Appearance)[] }[] = [
  { label: 'Typefaces', keys: ['font_heading', 'font_body', 'text_scale'] },
  { label: 'Colours and lines', keys: ['palette', 'accent_color', 'corner_style', 'rule_style'] },
  { label: 'Header and footer', keys: ['header_style', 'header_place', 'footer_style'] },
  { label: 'Lists and posts', keys: ['list_style', 'post_style'] },
];

/** The appearance of the site: a form, and beside it the public site with the draft's appearance. */
export default function AppearanceScreen({ data, result, adminContext }: ViewProps<typeof load, typeof act>) {
  const t = useWords();
  const values: Record<string, string | undefined> = { ...data.values, ...result?.values };
  const draft = useDraftOnChange();
  const { chosenId } = data.releases;
  const controlOf = (key: string) => {
    const field = data.fields.find((each) => each.key === key);
    return field ? (
      <Control key={key} field={field} value={values[key] ?? ''} errors={result?.errors?.[key]} />
    ) : null;
  };
  return (
    <>
      <div className="page-head">
        <h1>{t('Appearance')}</h1>
      </div>
      <Notices saved={messages[data.done ?? ''] ?? data.releases.notice} result={result} />
      <div className="appearance">
        <form
          method="post"
          action={`${adminUrl(adminContext.adminPath, 'appearance')}${chosenId ? `?release=${chosenId}` : ''}`}
          className="appearance-form"
          // Changes for a release are not saved as the draft.
          onChange={chosenId ? undefined : draft.change}
        >
          <PageUserField />
          <Presets
            presets={data.presets}
            chosen={result?.values?.preset ?? data.chosen}
            errors={result?.errors?.preset}
            adminContext={adminContext}
          />
          {groups.map(({ label, keys }) => (
            <fieldset key={label} className="appearance-group">
              <legend>{t(label)}</legend>
              {keys.map(controlOf)}
            </fieldset>
          ))}
          {controlOf('custom_css')}
          <ReleaseSelect
            releases={data.releases}
            values={result?.values}
            errors={result?.errors?.releaseId}
            adminContext={adminContext}
          />
          <p className="hint" role="status">
            {t.message(draft.message)}
          </p>
          <div className="appearance-actions">
            <button className="primary" name="intent" value="save">
              {t('Save draft')}
            </button>
            <button name="intent" value="publish">
              {t('Publish')}
            </button>
            {data.hasDraft ? (
              <button name="intent" value="discard" formNoValidate>
                {t('Discard draft')}
              </button>
            ) : null}
          </div>
        </form>
        <Preview adminContext={adminContext} version={`${draft.saves} ${JSON.stringify(data.values)}`} />
      </div>
    </>
  );
}

/**
 * Saves the draft a moment after each change, so that the preview shows the change. Without scripts a button saves it.
 */
function useDraftOnChange() {
  const [saves, setSaves] = useState(0);
  const [message, setMessage] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const save = async (form: HTMLFormElement) => {
    // Its form has no file.
    const body = new URLSearchParams([...new FormData(form)] as [string, string][]);
    body.set('intent', 'save');
    try {
      const answer = await fetch(form.action, {
        method: 'POST',
        body,
        headers: { Accept: 'application/json', ...pageUserHeader() },
      });
      const { errors = {}, error } = (await answer.json()) as {
        errors?: Record<string, string>;
        error?: { message: string } | null;
      };
      const problem = Object.values(errors)[0] ?? error?.message ?? 'The draft could not be saved.';
      setMessage(answer.ok ? 'Draft saved.' : problem);
      if (answer.ok) setSaves((count) => count + 1);
    } catch {
      setMessage('The draft could not be saved. Check the connection.');
    }
  };
  const change = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(currentTarget), 500);
  };
  return { saves, message, change };
}

interface PresetsProps {
  presets: Data['presets'];
  chosen: string;
  errors: Message[] | undefined;
  adminContext: AdminContext;
}

/** The presets as pictures: this site's home page, as it would be with each. */
function Presets({ presets, chosen, errors, adminContext }: PresetsProps) {
  const t = useWords();
  return (
    <fieldset className="presets" aria-describedby={errors ? 'field-preset-error' : undefined}>
      <legend>{t('Preset')}</legend>
      {presets.map(({ name, label, description }) => (
        <label key={name} className="preset">
          <span className="preset-picture">
            <iframe
              src={adminUrl(adminContext.adminPath, 'appearance', 'presets', name)}
              title={t('The site with {preset}', { preset: t(label) })}
              loading="lazy"
              tabIndex={-1}
              // The label says what it shows, and nothing in it can be used.
              aria-hidden="true"
              {...{ inert: '' }}
            />
          </span>
          <input
            type="radio"
            name="preset"
            value={name}
            defaultChecked={name === chosen}
            aria-invalid={errors ? true : undefined}
          />
          <span className="preset-name">{t(label)}</span>
          <span className="hint">{t(description)}</span>
        </label>
      ))}
      {errors ? (
        <p className="field-error" id="field-preset-error">
          {errors.map((error) => t.message(error)).join(' ')}
        </p>
      ) : null}
    </fieldset>
  );
}

interface ControlProps {
  field: Data['fields'][number];
  value: string;
  errors: Message[] | undefined;
}

function Control({ field, value, errors }: ControlProps) {
  const t = useWords();
  const shared = { name: field.key, label: field.label, help: field.help, errors };
  if (field.control === 'text')
    return <TextArea {...shared} rows={6} spellCheck={false} className="code-input" defaultValue={value} />;
  if (field.control === 'colour')
    return <ColourField {...shared} defaultValue={value} placeholder={t('As the preset')} />;
  return (
    <Choice {...shared} defaultValue={value}>
      <option value="">{t('As the preset')}</option>
      <Options of={(field.choices ?? []).map((choice) => [choice.value, t(choice.label)])} />
    </Choice>
  );
}

/** The public site with the saved draft's appearance. The frames load again when `version` changes. */
function Preview({ adminContext, version }: { adminContext: AdminContext; version: string }) {
  const t = useWords();
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  const href = adminUrl(adminContext.adminPath, 'appearance', 'preview');
  return (
    <section className="appearance-preview" aria-labelledby="preview-heading">
      <div className="appearance-preview-head">
        <h2 id="preview-heading">{t('Preview of the draft')}</h2>
        <div
          role="group"
          aria-label={t('Colour scheme')}
          className={useScripted() ? undefined : 'waits-for-script'}
        >
          {(['light', 'dark'] as const).map((name) => (
            <button key={name} type="button" aria-pressed={scheme === name} onClick={() => setScheme(name)}>
              {name === 'light' ? t('Light') : t('Dark')}
            </button>
          ))}
        </div>
        <a href={href} target="_blank" rel="noreferrer">
          {t('Open in a new tab')}
        </a>
      </div>
      <div className={`frames frames-${scheme}`} key={`${scheme} ${version}`}>
        <div className="frame-wide">
          <iframe src={href} title={t('The site on a wide screen')} loading="lazy" />
        </div>
        <div className="frame-phone">
          <iframe src={href} title={t('The site on a phone')} loading="lazy" />
        </div>
      </div>
    </section>
  );
}
