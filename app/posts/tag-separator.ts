/** What parts the names of tags: the comma of any keyboard (Latin, full-width, ideographic, Arabic), or a new line. */
export const tagSeparator = /[,，、،\n]/;
