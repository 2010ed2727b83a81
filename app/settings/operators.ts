import * as z from 'zod';
import { line } from '#app/platform/text/schemas.ts';
import { define, oneOf, outboundAddress, wholeNumber } from './definition.ts';

/** Publishing without cron, and who is alerted when something is wrong. */
export const operatorSettings = {
  built_in_trigger: define({
    group: 'publishing',
    label: 'Built-in trigger',
    help: 'Publishes due posts within two seconds, without cron.',
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
    help: 'Receives an email when something needs attention, such as late publishing or an overdue backup, and another when it’s resolved.',
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
    help: 'Receives the same alerts as JSON.',
    control: 'line',
    schema: outboundAddress('Alert webhook'),
    default: '',
    hidden: true,
    isOutbound: true,
  }),
  alert_minutes: define({
    group: 'publishing',
    label: 'Minutes after which publishing is late',
    help: 'You get an alert when a post is this late.',
    control: 'number',
    schema: wholeNumber('Minutes', 1, 1_440),
    default: '5',
    hidden: true,
  }),
} as const;
