/** A file of the blog's library. */
export interface Attachment {
  /** Its number. */
  id: string;
  url: string;
  alt: string;
  /** HTML. */
  caption: string;
  /** The number of the post that it was uploaded to; `0` or blank: none. */
  parent: string;
  /** Its position among the files of that post. */
  order: number;
  /** The address of its own page; blank: none. */
  page: string;
}

/** The library of a blog, as far as the export lists it. */
export class Attachments implements Iterable<Attachment> {
  private readonly byId = new Map<string, Attachment>();
  private readonly byParent = new Map<string, Attachment[]>();

  add(attachment: Attachment): void {
    const { id, parent } = attachment;
    this.byId.set(id, attachment);
    if (parent === '' || parent === '0') return;
    const siblings = this.byParent.get(parent);
    if (siblings) siblings.push(attachment);
    else this.byParent.set(parent, [attachment]);
  }

  get(id: string): Attachment | undefined {
    return this.byId.get(id);
  }

  /** What was uploaded to a post, in its order. */
  of(postId: string): Attachment[] {
    return [...(this.byParent.get(postId) ?? [])].sort((a, b) => a.order - b.order);
  }

  [Symbol.iterator](): Iterator<Attachment> {
    return this.byId.values();
  }
}
