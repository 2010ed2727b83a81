import { line, text } from '#app/platform/text/schemas.ts';
import { defineIn, onOff, wholeNumber } from '#app/settings/definition.ts';

const newsletterSetting = defineIn('newsletter');

const email = (label: string) =>
  line(320, label).refine(
    (value) => value === '' || /^[^<>]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(value),
    'This is not an email address.',
  );

/** A name without spaces, as it stands in DNS. */
const host = (label: string) => line(255, label).transform((value) => value.replace(/\s/g, ''));

/** The newsletter: posts as mail to subscribers. */
export const newsletterSettings = {
  newsletter_enabled: newsletterSetting({
    ...onOff('Newsletter'),
    help: 'Shows the subscription form and emails the posts that are set to be sent. Requires an email server.',
  }),
  newsletter_name: newsletterSetting({
    label: 'Name',
    help: 'Leave blank to use the site’s title.',
    schema: line(200, 'Name'),
  }),
  newsletter_from: newsletterSetting({
    label: 'Sender',
    help: 'Leave blank to use the sender of the email server.',
    schema: email('Sender'),
    hidden: true,
  }),
  newsletter_reply_to: newsletterSetting({
    label: 'Replies to',
    help: 'An email address. Leave blank to use the sender.',
    schema: email('Replies to'),
    hidden: true,
  }),
  newsletter_footer: newsletterSetting({
    label: 'Postal address',
    help: 'Shown at the end of every email. Many countries require it.',
    control: 'text',
    schema: text(1_000, 'Postal address'),
    hidden: true,
  }),
  newsletter_per_minute: newsletterSetting({
    label: 'Emails per minute',
    help: 'Across all servers. Check the limit of your mail provider.',
    control: 'number',
    schema: wholeNumber('Emails per minute', 1, 100_000),
    default: '60',
    hidden: true,
  }),
  newsletter_confirmations_per_hour: newsletterSetting({
    label: 'Confirmation emails per hour',
    help: 'Protects strangers from unwanted sign-ups with their address.',
    control: 'number',
    schema: wholeNumber('Confirmation emails per hour', 1, 100_000),
    default: '60',
    hidden: true,
  }),
  newsletter_delay_minutes: newsletterSetting({
    label: 'Minutes between publication and email',
    help: 'You can cancel the email until then. Enter 0 to send it immediately.',
    control: 'number',
    schema: wholeNumber('Minutes between publication and email', 0, 10),
    default: '2',
    hidden: true,
  }),
  dkim_domain: newsletterSetting({
    label: 'DKIM domain',
    help: 'Leave the three DKIM fields blank if your mail server signs email.',
    schema: host('DKIM domain'),
    hidden: true,
  }),
  dkim_selector: newsletterSetting({
    label: 'DKIM selector',
    help: 'The part of the DNS name before ._domainkey.',
    schema: host('DKIM selector'),
    hidden: true,
  }),
  dkim_private_key: newsletterSetting({
    label: 'DKIM private key',
    help: 'In PEM format. Leave blank to keep the current one.',
    control: 'secret',
    schema: text(10_000, 'DKIM private key'),
    secret: true,
    hidden: true,
  }),
  bounce_imap_host: newsletterSetting({
    label: 'IMAP host of the bounce mailbox',
    help: 'Optional. Bounce reports are read from this mailbox, and every email is sent from an address of it.',
    schema: host('IMAP host of the bounce mailbox'),
    hidden: true,
  }),
  bounce_imap_port: newsletterSetting({
    label: 'IMAP port',
    help: 'Usually 993.',
    control: 'number',
    schema: wholeNumber('IMAP port', 1, 65_535),
    default: '993',
    hidden: true,
  }),
  bounce_imap_username: newsletterSetting({
    label: 'IMAP user name',
    help: 'Often the mailbox’s email address.',
    schema: line(255, 'IMAP user name'),
    hidden: true,
  }),
  bounce_imap_password: newsletterSetting({
    label: 'IMAP password',
    help: 'Leave blank to keep the current one. Enter it again when you change the host, port or user name.',
    control: 'secret',
    schema: text(1_000, 'IMAP password'),
    secret: true,
    hidden: true,
    sentTo: ['bounce_imap_host', 'bounce_imap_port', 'bounce_imap_username'],
  }),
} as const;
