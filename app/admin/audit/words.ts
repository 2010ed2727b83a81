import { roles } from '#app/people/roles.ts';
import type { Words } from '#app/ui/words.ts';

/** The actor of an entry that no account made. An email address of a failed login stays as it is. */
export function actorIn(t: Words, actor: string): string {
  return actor === 'Command' || actor === 'Trigger' ? t(actor) : actor;
}

/**
 * The details of an entry in the person's language. They are stored in English, since people with other languages read
 * the log too.
 */
export function detailsIn(t: Words, { action, details }: { action: string; details: string }): string {
  const [, posts, receiver] = /^(\d+) posts to (.+)$/s.exec(details) ?? [];
  if (receiver !== undefined) {
    const to =
      receiver === 'no category' ? t('No category') : receiver === 'no author' ? t('No author') : receiver;
    return t('{from} → {to}', { from: countPosts(t, Number(posts)), to });
  }
  const [, successor, uses] = /^with (.+), in (\d+) posts$/s.exec(details) ?? [];
  if (successor !== undefined)
    return `${t('with {name}', { name: successor })}, ${countPosts(t, Number(uses))}`;
  if (action === 'tag.merged') return t('into {name}', { name: details.replace(/^into /, '') });
  if (action === 'user.created' || action === 'user.changed')
    return details
      .split(', ')
      .map((change) => changeIn(t, change))
      .join(', ');
  return t.message(details);
}

const countPosts = (t: Words, count: number) => t.count('{count} post', '{count} posts', count);

/** One change of an account: its role, the address, or the password. */
function changeIn(t: Words, change: string): string {
  const [, label, from, to] = /^(email )?(\S+) to (\S+)$/.exec(change) ?? [];
  if (from !== undefined && to !== undefined) {
    const step = t('{from} → {to}', { from: roleIn(t, from), to: roleIn(t, to) });
    return label ? `${t('Email')}: ${step}` : step;
  }
  return change === 'new password' ? t('New password') : roleIn(t, change);
}

const roleIn = (t: Words, text: string) => (roles.some((role) => role === text) ? t(text) : text);
