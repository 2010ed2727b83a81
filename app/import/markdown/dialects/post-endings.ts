export const postEndings = ['.md', '.markdown', '.mdx', '.svx', '.mdown', '.mkdown', '.mkdn', '.mkd'];
const endings = postEndings.map((ending) => ending.slice(1)).join('|');

/** The ending of a file that is a post. */
export const postEnding = new RegExp(String.raw`\.(?:${endings})$`, 'i');

/** A link to a file of the folder, as generators write it. */
export const postLink = new RegExp(
  String.raw`^(?:@\/|(?![a-z][a-z0-9+.-]*:|\/))[^?#]*\.(?:${endings})(?:[?#].*)?$`,
  'i',
);
