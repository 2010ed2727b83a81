import * as z from 'zod';
import { customIssue, say, saying } from '#app/platform/message.ts';
import { line } from '#app/platform/text/schemas.ts';
import type { SiteSection } from './site-sections.ts';

/** The application itself writes `internal` values, and no form shows them. */
export type SettingsGroup =
  | 'site'
  | 'navigation'
  | 'appearance'
  | 'publishing'
  | 'delivery'
  | 'email'
  | 'newsletter'
  | 'security'
  | 'internal';

export interface SettingDefinition<Schema extends z.ZodType = z.ZodType> {
  group: SettingsGroup;
  /** Only in the group `site`. */
  section?: SiteSection;
  label: string;
  help?: string;
  /** How a form shows the setting. */
  control:
    | 'line'
    | 'text'
    | 'picture'
    | 'menu'
    | 'link'
    | 'post'
    | 'list'
    | 'lines'
    | 'number'
    | 'choice'
    | 'colour'
    | 'secret';
  /** The help where scripts make the field easier, which needs less of it. */
  hint?: string;
  /** What a browser suggests while somebody types: these values, or those of this kind with their names. */
  suggestions?: readonly string[];
  offers?: 'languages' | 'time-zones' | 'categories';
  choices?: readonly { value: string; label: string }[];
  /** Reads the stored (or submitted) text. */
  schema: Schema;
  /** The text that `db:seed` writes. Secrets have none: they are either set or absent. */
  default: string;
  /** The key of the row that stores it, if two forms show one setting. */
  storedAs?: string;
  /** Encrypted at rest, write-only in the backend, redacted in backups. */
  secret?: true;
  /** Readers never see it, so a change leaves cached pages valid. */
  hidden?: true;
  /** An address that the application sends requests to: saved only if it may. */
  isOutbound?: true;
  /** Settings that say where this secret is sent: when one changes, the secret must be entered again. */
  sentTo?: readonly string[];
}

type Optional = 'control' | 'default';
type GivenDefinition<Schema extends z.ZodType> = Omit<
  SettingDefinition<Schema>,
  'group' | 'section' | Optional
> &
  Partial<Pick<SettingDefinition<Schema>, Optional>>;

/** Makes definitions of one place in the settings: a line that is blank by default, unless they say otherwise. */
export const defineIn =
  (group: SettingsGroup, section?: SiteSection) =>
  <Schema extends z.ZodType<unknown, string>>(given: GivenDefinition<Schema>): SettingDefinition<Schema> => ({
    group,
    ...(section && { section }),
    control: 'line',
    default: '',
    ...given,
  });

/** A schema for the text of a whole number within bounds. Its output is the number. */
export const wholeNumber = (label: string, min: number, max: number) =>
  z
    .string()
    .trim()
    .refine(
      (value) => /^\d{1,9}$/.test(value),
      saying('{label} must be a whole number.', { label: say(label) }),
    )
    .transform(Number)
    .refine(
      (value) => value >= min && value <= max,
      saying('{label} must be from {min} to {max}.', { label: say(label), min, max }),
    );

/** A schema for one of these texts, or a blank one. */
export const oneOf = <const Value extends string>(label: string, values: readonly Value[]) =>
  z.string().transform((value, context) => {
    const found = value === '' ? '' : values.find((one) => one === value);
    if (found !== undefined) return found;
    context.addIssue(
      customIssue(say('Choose one of the offered values for “{label}”.', { label: say(label) })),
    );
    return z.NEVER;
  });

/** What a setting has that is on or off, and off by default. Its value is true when it is on. */
export const onOff = (label: string, [off, on] = ['Off', 'On'], [no, yes] = ['no', 'yes']) => ({
  label,
  control: 'choice' as const,
  choices: [
    { value: no, label: off },
    { value: yes, label: on },
  ],
  schema: oneOf(label, [no, yes]).transform((value) => value === yes),
  default: no,
});

/** A schema for an address that the application sends requests to, or a blank one. */
export const outboundAddress = (label: string) =>
  line(2_000, label).refine(
    (value) => value === '' || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
    'Enter an address such as https://example.org/hook.',
  );
