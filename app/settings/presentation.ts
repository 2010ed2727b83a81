import { z } from 'zod';
import { define } from './definition.ts';

/** What stands beside the appearance: how texts are set. */
export const presentationSettings = {
  smart_typography: define({
    group: 'site',
    label: 'Smart typography',
    help: 'Quotation marks, dashes and spaces as the language of a text has them. Texts follow when they are saved.',
    control: 'choice',
    choices: [
      { value: 'off', label: 'As typed' },
      { value: 'on', label: 'As the language has them' },
    ],
    schema: z
      .enum(['on', 'off', ''], 'Choose one of the offered values for “Smart typography”.')
      .transform((value) => value === 'on'),
    default: 'off',
  }),
} as const;
