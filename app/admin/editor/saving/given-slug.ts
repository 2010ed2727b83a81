import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { readFields, writeField, type FormFields } from '#app/admin/editor/model/form-fields.ts';
import { ownSlug } from '#app/posts/paths.ts';

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
