import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { contentOf, type FormFields, readFields, writeField } from '#app/admin/editor/model/form-fields.ts';
import { nextStatus, UNTITLED, type StateIntent } from '#app/posts/fields/states.ts';
import { joinTags, splitTags } from '#app/posts/fields/tag-names.ts';
import { ownSlug } from '#app/posts/paths.ts';
import { hashOf, type LocalCopy } from './local-copy.ts';
import type { Current } from './requests.ts';

/** The time that the server chooses, by the button. */
const chosenTimes: Record<string, string> = { publish: 'publishedAt', archive: 'archiveAt' };

/**
 * Digests of all fields of a text that is sent to the server, by name. Leaves out what the server may choose: the time of
 * a button, and the slug: that of a young draft follows its title, also where the form still has the former one.
 */
export function digestOfSent(fields: FormFields): string {
  const { intent = '' } = fields;
  const sent = Object.entries(contentOf(fields)).filter(
    ([name]) => name !== 'slug' && name !== chosenTimes[intent],
  );
  // The same text may be sent by a button and by an autosave.
  if (changesState(intent)) sent.push(['intent', intent]);
  return sent.map(([name, value]) => `${name}=${digestOfField(name, value)}`).join(' ');
}

/** True for the button that sent this, unless it only saves the text. */
export function changesState(intent: string | undefined): boolean {
  return !['', 'save', 'autosave'].includes(intent ?? '');
}

/** False for the button that leaves the text as it is on the server. */
export function storesText(intent: string | undefined): boolean {
  return intent !== 'cancel-change';
}

/** True if the post is in the state that this button asks for. */
export function isInStateOf(intent: string | undefined, status: string | null | undefined): boolean {
  if (!status || !changesState(intent)) return false;
  // The trigger publishes what was scheduled.
  return (
    nextStatus('draft', intent as StateIntent) === status || (intent === 'schedule' && status === 'published')
  );
}

/**
 * True if the server has done what was sent: a button, or a save of the text.
 * @param options.isNewer the server has a version that the page has not
 */
export function hasDone(
  [digest, { intent, version: openedVersion }]: [digest: string, sent: FormFields],
  { version, fields, status, update }: Current,
  { isNewer }: { isNewer: boolean },
): boolean {
  if (!isNewer || intent === 'delete') return false;
  if (intent === 'prepare' || !storesText(intent)) {
    // The live text is not compared, so a version after that one may be of somebody else.
    if (update === undefined || version !== Number(openedVersion) + 1) return false;
    return intent === 'prepare' ? update !== null && hasSentText([digest], update) : update === null;
  }
  if (status && changesState(intent) && !isInStateOf(intent, status)) return false;
  return hasSentText([digest], fields);
}

/** True if a button sent exactly this text, and the server has it with the time of that button. */
export function isSentByButton(fields: FormFields, digests: readonly string[], stored: FormFields): boolean {
  return Object.keys(chosenTimes).some((intent) => {
    const digest = digestOfSent({ ...fields, intent });
    return digests.includes(digest) && hasSentText([digest], stored);
  });
}

/** The fields that the server fills in when they are blank. */
const filledIn: ReadonlySet<string> = new Set(['slug', 'publishedAt']);

/** True if the server has the text of a copy. It trims texts, sorts out tags, and fills in some blank fields. */
export function isStored({ fields, sent }: Pick<LocalCopy, 'fields' | 'sent'>, stored: FormFields): boolean {
  if (isSentByButton(fields, sent, stored)) return true;
  return Object.entries(stored).every(([name, value]) => {
    const typed = fields[name];
    if (typed === undefined || (typed === '' && filledIn.has(name))) return true;
    return digestOfField(name, typed) === digestOfField(name, value);
  });
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

/**
 * The slug that the server has given a draft or a scheduled post, and nobody has typed. The server makes that of a young
 * post from its title at each save. The form may have the former one, so it does not send it: it would replace the new
 * one.
 */
export class GivenSlug {
  readonly #form: HTMLFormElement;
  /** Undefined where the form has a slug of another text, such as a revision: that is sent. */
  #slug: string | undefined;
  #isTyped = false;

  constructor(form: HTMLFormElement, data: EditorData) {
    this.#form = form;
    this.#slug = givenTo(data);
  }

  /** The fields to send or to keep. A blank slug is sent: the server makes one. */
  without(fields: FormFields): FormFields {
    const { slug, ...rest } = fields;
    // Once typed, a slug is sent also when it is the given one again: the server may have another one since.
    this.#isTyped ||= slug !== this.#slug;
    return this.#isTyped || slug === '' ? fields : rest;
  }

  /** Takes it out of the next submission of the form as a page. */
  leaveOut(): void {
    if ('slug' in this.without(readFields(this.#form))) return;
    this.#form.addEventListener('formdata', ({ formData }) => formData.delete('slug'), { once: true });
  }

  /** Writes the slug that the server has now into the form, unless somebody has typed one. */
  update(data: EditorData): void {
    const shown = readFields(this.#form);
    const isGiven = !('slug' in this.without(shown));
    this.#slug = givenTo(data);
    if (isGiven) writeField(this.#form, 'slug', data.values.slug!);
    this.#isTyped = !isGiven && shown.slug !== this.#slug;
  }
}

function givenTo({ post, values }: EditorData): string | undefined {
  const mayFollow = post?.status === 'draft' || post?.status === 'scheduled';
  return mayFollow && ownSlug(post.slug) === values.slug ? values.slug : undefined;
}
