import * as z from 'zod';
import { line } from '#app/platform/text/schemas.ts';
import { define, oneOf, outboundAddress, wholeNumber } from './definition.ts';

/** Publishing without cron, and who is alerted when something is wrong. */
export const operatorSettings = {
  built_in_trigger: define({
    group: 'publishing',
    label: 'Built-in trigger',
    help: 'A server publishes what is due within two seconds, without cron.',
    control: 'choice',
    choices: [
      { value: 'no', label: 'Off' },
      { value: 'yes', label: 'On' },
    ],
    schema: oneOf('Built-in trigger', ['no', 'yes']).transform((value) => value === 'yes'),
    default: 'no',
    hidden: true,
  }),
  alert_email: define({
    group: 'publishing',
    label: 'Alert email',
    help: 'Gets a message when publishing is late, a release is blocked, a backup is overdue or the like, and one when it is over.',
    control: 'line',
    schema: line(254, 'Alert email').refine(
      (value) => value === '' || z.email().safeParse(value).success,
      'This is not an email address.',
    ),
    default: '',
    hidden: true,
  }),
  alert_webhook: define({
    group: 'publishing',
    label: 'Alert webhook',
    help: 'An address that gets the same messages as JSON.',
    control: 'line',
    schema: outboundAddress('Alert webhook'),
    default: '',
    hidden: true,
    isOutbound: true,
  }),
  alert_minutes: define({
    group: 'publishing',
    label: 'Minutes after which publishing is late',
    control: 'number',
    schema: wholeNumber('Minutes', 1, 1_440),
    default: '5',
    hidden: true,
  }),
} as const;
