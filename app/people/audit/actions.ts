import { keysOf } from '#app/platform/narrow.ts';
/** Every action in the audit log, with its name on the screen. */
export const auditActions = {
  'login.succeeded': 'Logged in',
  'login.failed': 'Login failed',
  'login.code-failed': 'Login code failed',
  'account.password-changed': 'Changed the password',
  'account.profile-changed': 'Changed the profile',
  'account.sessions-ended': 'Ended sessions',
  'account.two-factor-on': 'Turned the second factor on',
  'account.two-factor-off': 'Turned the second factor off',
  'account.recovery-code-used': 'Used a recovery code',
  'account.recovery-codes-renewed': 'Created new recovery codes',
  'account.reset-requested': 'Requested a password reset',
  'account.password-reset': 'Reset the password by a link',
  'account.invitation-accepted': 'Accepted an invitation',
  'user.created': 'Created an account',
  'user.invited': 'Invited a person',
  'user.changed': 'Changed an account',
  'user.disabled': 'Disabled an account',
  'user.enabled': 'Enabled an account',
  'user.deleted': 'Deleted an account',
  'settings.changed': 'Changed settings',
  'settings.mail-tested': 'Sent a test message',
  'settings.webhooks-changed': 'Changed webhooks',
  'newsletter.issue-changed': 'Changed a newsletter issue',
  'newsletter.subscribers-changed': 'Changed subscribers',
  'settings.effects-released': 'Released held effects',
  'post.created': 'Created a post',
  'post.published': 'Published a post',
  'post.scheduled': 'Scheduled a post',
  'post.archived': 'Archived a post',
  'post.withdrawn': 'Returned a post to draft',
  'post.trashed': 'Moved a post to the trash',
  'post.restored': 'Restored a post',
  'post.deleted': 'Deleted a post permanently',
  'category.trashed': 'Moved a category to the trash',
  'category.restored': 'Restored a category',
  'category.deleted': 'Deleted a category permanently',
  'tag.trashed': 'Moved a tag to the trash',
  'tag.restored': 'Restored a tag',
  'tag.deleted': 'Deleted a tag permanently',
  'release.created': 'Created a release',
  'release.scheduled': 'Scheduled a release',
  'release.unscheduled': 'Unscheduled a release',
  'release.published': 'Published a release',
  'release.blocked': 'Could not publish a release',
  'release.deleted': 'Deleted a release',
  'tag.merged': 'Merged tags',
  'media.replaced': 'Replaced a file',
  'media.trashed': 'Moved a file to the trash',
  'media.restored': 'Restored a file',
  'media.deleted': 'Deleted a file permanently',
} as const;

export type AuditAction = keyof typeof auditActions;

/** The part of an action before the point, with its name. The screen filters the log by it. */
export const auditTerms = {
  login: 'Logins',
  account: 'Own accounts',
  user: 'People',
  settings: 'Settings',
  post: 'Posts',
  release: 'Releases',
  category: 'Categories',
  tag: 'Tags',
  media: 'Media',
} as const;

export type AuditTerm = keyof typeof auditTerms;

export function actionsOf(term: AuditTerm): AuditAction[] {
  return keysOf(auditActions).filter((action) => action.startsWith(`${term}.`));
}
