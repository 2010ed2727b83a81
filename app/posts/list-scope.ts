/** The only public state; every public read has it in its condition. */
export const isPublic = { status: 'published' } as const;

/** Which posts a list is about; nothing set means all, pages too. */
export interface ListScope {
  /** `''`: the site's main list; else that of one of its other languages. Absent: whatever list shows them. */
  listedIn?: string;
  categoryId?: string;
  tagId?: string;
  authorId?: string;
}
