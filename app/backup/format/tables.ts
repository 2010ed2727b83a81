import { frequencies, issueStates, recipientStates, subscriberStates } from '#app/newsletter/states.ts';
import { roles } from '#app/people/roles.ts';
import { requiredLine } from '#app/platform/text/schemas.ts';
import { type ColumnFieldName, columnFieldNames, postFields } from '#app/posts/fields/fields.ts';
import { postStatuses, TRASHED } from '#app/posts/fields/states.ts';
import { itemActions, itemKinds, releaseStatuses } from '#app/releases/release.ts';
import {
  asForm,
  asFormOrBlank,
  boolean,
  choice,
  type Column,
  integer,
  json,
  jsonOrBlank,
  mediaPath,
  optional,
  postAddress,
  sitePath,
  slug,
  termColumns,
  text,
  time,
  variants,
  business,
  type CatalogueEntry,
  type BusinessEntry,
} from './columns.ts';
import { tablesOutsideBackups } from './tables-outside-backups.ts';

const types = { text, time } as const;

type FieldColumns = Record<(typeof postFields)[ColumnFieldName]['column']['name'], Column>;

/** The columns of the post fields, by their names in the database and in the order of the catalogue. */
const postFieldColumns = Object.fromEntries(
  columnFieldNames.map((field) => {
    const { name, type, nullable } = { nullable: false, ...postFields[field].column };
    if (field === 'slug') return [name, postAddress];
    if (nullable) return [name, optional(types[type])];
    // A draft may have no title.
    return [name, asFormOrBlank(postFields[field].form('UTC'))];
  }),
) as FieldColumns;

const {
  title,
  slug: address,
  excerpt,
  body,
  published_at,
  archive_at,
  ...otherPostFields
} = postFieldColumns;

/**
 * Every table of `prisma/models.prisma`; a test fails until a new table is listed, here or among those outside backups.
 * Those here are business tables: in backups, replaced by an import. Their order is the restore order: a table comes
 * after the tables that it refers to.
 */
export const tableCatalogue = {
  settings: business('setting', {
    key: ['key'],
    redactable: 'value',
    columns: { key: text, value: text, updated_at: time },
  }),
  users: business('user', {
    key: ['id'],
    unique: ['email', 'username'],
    columns: {
      id: text,
      // Not every one is an address: imported authors have `<username>@imported.invalid`, in any script.
      email: asForm(requiredLine(254, 'Email')),
      username: slug,
      display_name: asForm(requiredLine(200, 'Display name')),
      ...{ bio: text, picture: text, links: jsonOrBlank, language: text, password_hash: optional(text) },
      ...{ role: choice(roles), disabled_at: optional(time), totp_secret: optional(text) },
      ...{ totp_confirmed_at: optional(time), totp_last_step: optional(integer) },
      ...{ recovery_codes: optional(text), created_at: time, updated_at: time },
    },
  }),
  categories: business('category', { key: ['id'], unique: ['slug'], columns: termColumns }),
  tags: business('tag', { key: ['id'], unique: ['slug'], columns: termColumns }),
  media: business('media', {
    key: ['id'],
    unique: ['path'],
    columns: {
      ...{ id: text, path: mediaPath, original_name: text, mime_type: text, bytes: integer, sha256: text },
      ...{ source_sha256: text, width: optional(integer), height: optional(integer), alt: text, color: text },
      ...{ variants, uploaded_by_id: optional(text), trashed_at: optional(time), created_at: time },
      updated_at: time,
    },
  }),
  posts: business('post', {
    key: ['id'],
    unique: ['slug'],
    references: { author_id: 'users', category_id: 'categories', cover_media_id: 'media' },
    columns: {
      ...{ id: text, slug: address, title, excerpt, body, body_html: text, table_of_contents: json },
      word_count: integer,
      status: choice([...postStatuses, TRASHED]),
      ...{ published_at, archive_at, author_id: optional(text) },
      ...otherPostFields,
      ...{ social_card: text, source_guid: text, listed_in: text, version: integer },
      ...{ has_been_public: boolean, slug_follows_title: boolean, content_updated_at: time },
      ...{ created_at: time, updated_at: time },
    },
  }),
  post_tags: business('postTag', {
    key: ['post_id', 'tag_id'],
    references: { post_id: 'posts', tag_id: 'tags' },
    columns: { post_id: text, tag_id: text, position: integer },
  }),
  embeds: business('embed', {
    key: ['url'],
    isSortedByExport: true,
    columns: { url: text, details: jsonOrBlank, fetched_at: time },
  }),
  comments: business('comment', {
    key: ['id'],
    references: { post_id: 'posts' },
    columns: {
      ...{ id: text, post_id: text, parent_id: optional(text), position: integer, name: text, text },
      ...{ html: text, written_at: time, created_at: time },
    },
  }),
  post_authors: business('postAuthor', {
    key: ['post_id', 'position'],
    references: { post_id: 'posts', user_id: 'users' },
    columns: { post_id: text, position: integer, user_id: optional(text), name: text },
  }),
  revisions: business('revision', {
    key: ['id'],
    references: { post_id: 'posts', author_id: 'users' },
    columns: {
      ...{ id: text, post_id: text, post_version: integer, kind: text, author_id: optional(text) },
      ...{ fields: json, summary: text, release_id: optional(text), outcome: text, created_at: time },
      updated_at: time,
    },
  }),
  prepared_changes: business('scheduledUpdate', {
    key: ['post_id'],
    references: { post_id: 'posts' },
    columns: { post_id: text, fields: json, due_at: time, author_id: optional(text), created_at: time },
  }),
  redirects: business('redirect', {
    key: ['path'],
    references: { post_id: 'posts', category_id: 'categories', tag_id: 'tags' },
    columns: {
      ...{ path: sitePath, post_id: optional(text), category_id: optional(text), tag_id: optional(text) },
      created_at: time,
    },
  }),
  trash_items: business('trashItem', {
    key: ['id'],
    columns: {
      ...{ id: text, kind: text, title: text, path: text, owner_id: optional(text), details: json },
      ...{ trashed_by_id: optional(text), trashed_at: time },
    },
  }),
  releases: business('release', {
    key: ['id'],
    columns: {
      ...{ id: text, name: text, status: choice(releaseStatuses), publish_at: optional(time) },
      ...{ published_at: optional(time), rollback_of_id: optional(text), problem: text, version: integer },
      ...{ created_by_id: optional(text), created_at: time, updated_at: time },
    },
  }),
  release_items: business('releaseItem', {
    key: ['id'],
    references: { release_id: 'releases' },
    columns: {
      ...{ id: text, release_id: text, kind: choice(itemKinds), subject_id: text },
      ...{ action: choice(itemActions), fields: json, undo: optional(json), author_id: optional(text) },
      ...{ created_at: time, updated_at: time },
    },
  }),
  text_changes: business('textChange', {
    key: ['id'],
    columns: { id: text, changes: json, changed_at: time },
  }),
  webhooks: business('webhook', {
    key: ['id'],
    redactable: 'secret',
    columns: {
      ...{ id: text, name: text, url: text, events: json, secret: text, former_secret: text },
      ...{ former_until: optional(time), paused_at: optional(time), pause_reason: text },
      ...{ failing_since: optional(time), created_at: time, updated_at: time },
    },
  }),
  snippets: business('snippet', {
    key: ['id'],
    columns: { id: text, name: text, body: text, created_at: time, updated_at: time },
  }),
  subscribers: business('subscriber', {
    key: ['id'],
    unique: ['email_key', 'token', 'confirm_hash'],
    columns: {
      ...{ id: text, email: text, email_key: text, name: text, state: choice(subscriberStates) },
      ...{ reason: text, frequency: choice(frequencies), categories: json, language: text, token: text },
      ...{ confirm_hash: optional(text), confirm_until: optional(time), asked_at: optional(time) },
      ...{ source: text, consent_at: optional(time), state_at: time, created_at: time, updated_at: time },
    },
  }),
  subscriber_erasures: business('subscriberErasure', {
    key: ['email_hash'],
    columns: { email_hash: text, erased_at: time },
  }),
  newsletter_issues: business('newsletterIssue', {
    key: ['id'],
    unique: ['post_id'],
    columns: {
      ...{ id: text, post_id: text, subject: text, preview: text, state: choice(issueStates), reason: text },
      ...{ recipients: integer, refusals: integer, faults: integer, due_at: time, created_at: time },
      finished_at: optional(time),
    },
  }),
  newsletter_recipients: business('newsletterRecipient', {
    key: ['issue_id', 'subscriber_id'],
    columns: {
      ...{ issue_id: text, subscriber_id: text, state: choice(recipientStates), tries: integer },
      ...{ due_at: time, reason: text, sent_at: optional(time) },
    },
  }),
  import_items: business('importItem', {
    key: ['source', 'item_key'],
    columns: {
      ...{ source: text, item_key: text, content_hash: text, post_id: text, created_at: time },
      updated_at: time,
    },
  }),

  ...tablesOutsideBackups,
} as const satisfies Record<string, CatalogueEntry>;

export type TableName = keyof typeof tableCatalogue;

/** A table that backups hold. */
export interface BusinessTable extends BusinessEntry {
  name: string;
}

const entries = Object.entries(tableCatalogue as Record<string, CatalogueEntry>);

/** The tables of a backup, in restore order. */
export const businessTables: readonly BusinessTable[] = entries.flatMap(([name, entry]) =>
  entry.kind === 'business' ? [{ ...entry, name }] : [],
);

/** The tables that an import empties, those that refer to others first. */
export const clearedTables: readonly { name: string; model: string }[] = entries
  .filter(
    ([, entry]) => entry.kind === 'business' || (entry.kind === 'ephemeral' && entry.onImport === 'clear'),
  )
  .map(([name, { model }]) => ({ name, model }))
  .reverse();

/** Names of all tables that an import writes. */
export const replacedTables: readonly string[] = [...clearedTables.map(({ name }) => name), 'import_journal'];
