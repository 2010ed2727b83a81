/** Only this state is ever public; every public read has it in its condition. */
export const isPublic = { status: 'published' } as const;

/** Which posts a list is about; nothing set means all. */
export interface ListScope {
  categoryId?: string;
  tagId?: string;
  authorId?: string;
}
