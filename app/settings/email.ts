import * as z from 'zod';
import { line, text } from '#app/platform/text/schemas.ts';
import { define, wholeNumber } from './definition.ts';

/** The SMTP server that sends emails, and their sender. */
export const emailSettings = {
  smtp_host: define({
    group: 'email',
    label: 'SMTP host',
    help: 'The server that sends email, as your mail provider names it. Leave blank to send none.',
    control: 'line',
    schema: line(255, 'SMTP host').refine((value) => !/\s/.test(value), 'SMTP host must not contain spaces.'),
    default: '',
  }),
  smtp_port: define({
    group: 'email',
    label: 'SMTP port',
    help: 'Usually 587, or 465 with TLS.',
    control: 'number',
    schema: wholeNumber('SMTP port', 1, 65_535),
    default: '587',
  }),
  smtp_secure: define({
    group: 'email',
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
  smtp_username: define({
    group: 'email',
    label: 'User name',
    help: 'Often your email address. Leave blank if the server requires no login.',
    control: 'line',
    schema: line(255, 'User name'),
    default: '',
  }),
  smtp_password: define({
    group: 'email',
    label: 'Password',
    help: 'Leave blank to keep the current one. Enter it again when you change the host, port or user name.',
    control: 'secret',
    schema: text(1_000, 'Password'),
    default: '',
    secret: true,
    sentTo: ['smtp_host', 'smtp_port', 'smtp_username'],
  }),
  smtp_from: define({
    group: 'email',
    label: 'Sender',
    help: 'Such as Dateline <blog@example.org>.',
    control: 'line',
    schema: line(320, 'Sender').refine(
      (value) => value === '' || /^[^<>]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(value),
      'Sender must be an email address, such as Dateline <blog@example.org>.',
    ),
    default: '',
  }),
} as const;
