import * as z from 'zod';
import { line, text } from '#app/platform/text/schemas.ts';
import { defineIn, wholeNumber } from '#app/settings/definition.ts';

const emailSetting = defineIn('email');

/** The SMTP server that sends emails, and their sender. */
export const emailSettings = {
  smtp_host: emailSetting({
    label: 'SMTP host',
    help: 'The server that sends email, as your mail provider names it. Leave blank to send none.',
    schema: line(255, 'SMTP host').refine((value) => !/\s/.test(value), 'SMTP host must not contain spaces.'),
  }),
  smtp_port: emailSetting({
    label: 'SMTP port',
    help: 'Usually 587, or 465 with TLS.',
    control: 'number',
    schema: wholeNumber('SMTP port', 1, 65_535),
    default: '587',
  }),
  smtp_secure: emailSetting({
    label: 'Encryption',
    help: 'Choose what your mail provider recommends for the port.',
    control: 'choice',
    choices: [
      { value: 'false', label: 'STARTTLS where offered (port 587)' },
      { value: 'true', label: 'TLS from the start (port 465)' },
    ],
    schema: z
      .enum(['true', 'false', 'on', 'off', ''], 'Choose an encryption.')
      .transform((value) => value === 'true' || value === 'on'),
    default: 'false',
  }),
  smtp_username: emailSetting({
    label: 'User name',
    help: 'Often your email address. Leave blank if the server requires no login.',
    schema: line(255, 'User name'),
  }),
  smtp_password: emailSetting({
    label: 'Password',
    help: 'Leave blank to keep the current one. Enter it again when you change the host, port or user name.',
    control: 'secret',
    schema: text(1_000, 'Password'),
    secret: true,
    sentTo: ['smtp_host', 'smtp_port', 'smtp_username'],
  }),
  smtp_from: emailSetting({
    label: 'Sender',
    help: 'Such as Dateline <blog@example.org>.',
    schema: line(320, 'Sender').refine(
      (value) => value === '' || /^[^<>]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(value),
      'Sender must be an email address, such as Dateline <blog@example.org>.',
    ),
  }),
} as const;
