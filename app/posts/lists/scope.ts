/** The only public state; every public read has it in its condition. */
export const isPublic = { status: 'published' } as const;

/** Which posts a list is about; nothing set means all, pages too. */
export interface ListScope {
  /** `''`: the site's main list, else the list of another language. Absent: any list. */
  listedIn?: string;
  categoryId?: string;
  tagId?: string;
  authorId?: string;
}
