import * as z from 'zod';
import { line } from '#app/platform/text/schemas.ts';
import { defineIn, onOff, outboundAddress, wholeNumber } from '#app/settings/definition.ts';

const publishingSetting = defineIn('publishing');

/** Publishing without cron, and who is alerted when something is wrong. */
export const operatorSettings = {
  built_in_trigger: publishingSetting({
    ...onOff('Built-in trigger'),
    help: 'Publishes due posts within two seconds, without cron.',
    hidden: true,
  }),
  alert_email: publishingSetting({
    label: 'Alert email',
    help: 'Receives an email when something needs attention, such as late publishing or an overdue backup, and another when it’s resolved.',
    schema: line(254, 'Alert email').refine(
      (value) => value === '' || z.email().safeParse(value).success,
      'This is not an email address.',
    ),
    hidden: true,
  }),
  alert_webhook: publishingSetting({
    label: 'Alert webhook',
    help: 'Receives the same alerts as JSON.',
    schema: outboundAddress('Alert webhook'),
    hidden: true,
    isOutbound: true,
  }),
  alert_minutes: publishingSetting({
    label: 'Minutes after which publishing is late',
    help: 'You get an alert when a post is this late.',
    control: 'number',
    schema: wholeNumber('Minutes', 1, 1_440),
    default: '5',
    hidden: true,
  }),
} as const;
