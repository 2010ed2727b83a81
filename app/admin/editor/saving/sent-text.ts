import { UNTITLED } from '#app/posts/states.ts';
import { joinTags, splitTags } from '#app/posts/tag-names.ts';
import { contentOf, type FormFields } from './form-fields.ts';
import { hashOf } from './local-copy.ts';

/**
 * Digests of all fields of a text that is sent to the server, by name. Leaves out the slug, which the server may choose:
 * that of a young draft follows its title, also where the form still has the former one.
 */
export function digestOfSent(fields: FormFields): string {
  const sent = Object.entries(contentOf(fields)).filter(([name]) => name !== 'slug');
  return sent.map(([name, value]) => `${name}=${digestOfField(name, value)}`).join(' ');
}

/**
 * True if the server has every field of one of these texts as it was sent. With one field that differs, somebody else
 * may have changed it.
 * @param digests of the sent texts (`digestOfSent`)
 */
export function hasSentText(digests: Iterable<string>, stored: FormFields): boolean {
  const has = Object.entries(stored).map(([name, value]) => [name, digestOfField(name, value)] as const);
  return [...digests].some((digest) => {
    const sent = new Map(digest.split(' ').map((field) => field.split('=') as [string, string]));
    // The digest of an earlier version of this page names no field.
    return sent.has('body') && has.every(([name, value]) => (sent.get(name) ?? value) === value);
  });
}

function digestOfField(name: string, value: string): string {
  if (value.trim() === '' || (name === 'title' && value === UNTITLED)) return '';
  return hashOf(name === 'tags' ? joinTags(splitTags(value)).toLowerCase() : value);
}
