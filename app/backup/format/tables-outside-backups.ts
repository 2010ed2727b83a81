import type { CatalogueEntry } from './columns.ts';

/**
 * - derived: an import writes it from the business tables.
 * - ephemeral: an import clears what belongs to the replaced content and keeps what belongs to the instance.
 */
export const tablesOutsideBackups = {
  sitemap_entries: { kind: 'derived', model: 'sitemapEntry' },
  sitemap_portions: { kind: 'derived', model: 'sitemapPortion' },
  tag_posts: { kind: 'derived', model: 'tagPost' },
  post_counts: { kind: 'derived', model: 'postCount' },
  file_mentions: { kind: 'derived', model: 'fileMention' },
  author_posts: { kind: 'derived', model: 'authorPost' },
  subscriber_counts: { kind: 'derived', model: 'subscriberCount' },
  search_outbox: { kind: 'derived', model: 'searchOutbox' },

  sessions: { kind: 'ephemeral', model: 'session', onImport: 'clear' },
  user_tokens: { kind: 'ephemeral', model: 'userToken', onImport: 'clear' },
  preview_links: { kind: 'ephemeral', model: 'previewLink', onImport: 'clear' },
  undo_steps: { kind: 'ephemeral', model: 'undoStep', onImport: 'clear' },
  site_previews: { kind: 'ephemeral', model: 'sitePreview', onImport: 'clear' },
  // Its rows refer to files of this instance, which an import removes itself.
  media_removals: { kind: 'ephemeral', model: 'mediaRemoval', onImport: 'clear' },
  login_throttle: { kind: 'ephemeral', model: 'loginThrottle', onImport: 'keep' },
  audit_log: { kind: 'ephemeral', model: 'auditLog', onImport: 'keep' },
  effects: { kind: 'ephemeral', model: 'effect', onImport: 'keep' },
  webhook_deliveries: { kind: 'ephemeral', model: 'webhookDelivery', onImport: 'keep' },
  alerts: { kind: 'ephemeral', model: 'alert', onImport: 'keep' },
  newsletter_limits: { kind: 'ephemeral', model: 'newsletterLimit', onImport: 'keep' },
  backup_runs: { kind: 'ephemeral', model: 'backupRun', onImport: 'keep' },
  publish_runs: { kind: 'ephemeral', model: 'publishRun', onImport: 'keep' },
  leases: { kind: 'ephemeral', model: 'lease', onImport: 'keep' },
  content_changes: { kind: 'ephemeral', model: 'contentChange', onImport: 'keep' },
  site_state: { kind: 'ephemeral', model: 'siteState', onImport: 'keep' },
  import_journal: { kind: 'ephemeral', model: 'importJournal', onImport: 'keep' },
} as const satisfies Record<string, CatalogueEntry>;
