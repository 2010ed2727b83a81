import { SaxesParser } from 'saxes';
import { invalidInput } from '#app/platform/errors.ts';

/** An entry of the Atom file that Blogger exports. */
export interface BloggerEntry {
  /** `tag:blogger.com,1999:blog-1.post-2`: the post's id in the old feeds, too. */
  id: string;
  /** `post`, `page`, `comment`, or another kind such as `template` and `settings`. */
  kind: string;
  title: string;
  /** HTML. */
  content: string;
  published: string;
  updated: string;
  labels: string[];
  author: string;
  /** The old address, absolute or a path; `''` for a draft. */
  address: string;
  isPublic: boolean;
  /** Of a comment: the id of its post. */
  answers: string;
}

const KIND = 'http://schemas.google.com/g/2005#kind';
const LABEL = 'http://www.blogger.com/atom/ns#';

/**
 * The entries of an export, in its order. Blogger has two formats. The older one marks kinds and states by categories
 * and `app:draft`; Google Takeout (`feed.atom`) has elements for them, such as `blogger:status`.
 * @throws AppError `invalid_input` for a file that is not an export of Blogger.
 */
export function readBloggerEntries(xml: string): BloggerEntry[] {
  const entries: BloggerEntry[] = [];
  let entry: BloggerEntry | null = null;
  let text = '';
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw invalidInput(`The file cannot be read as XML: ${error.message}`);
  });
  const collect = (part: string) => void (text += part);
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    text = '';
    if (name === 'entry') entry = newEntry();
    else if (entry) readAttributes(entry, name, attributes);
  });
  parser.on('closetag', ({ name }) => {
    open.pop();
    if (name === 'entry' && entry) {
      entries.push(entry);
      entry = null;
    } else if (entry) readText(entry, name, open.at(-1) ?? '', text);
    text = '';
  });
  parser.write(xml).close();
  if (!entries.some(({ id }) => id.startsWith('tag:blogger.com')))
    throw invalidInput('This is not an export of Blogger: it has no entries of a blog there.');
  return entries;
}

function newEntry(): BloggerEntry {
  return {
    ...{ id: '', kind: '', title: '', content: '', published: '', updated: '', author: '', address: '' },
    labels: [],
    isPublic: true,
    answers: '',
  };
}

function readAttributes(entry: BloggerEntry, name: string, attributes: Record<string, string>): void {
  const { scheme, term = '', rel, href = '', ref = '' } = attributes;
  if (name === 'category' && scheme === KIND) entry.kind = term.split('#').at(-1)!;
  else if (name === 'category' && scheme?.startsWith(LABEL)) entry.labels.push(term);
  else if (name === 'category' && scheme?.startsWith('tag:blogger.com')) entry.labels.push(term);
  else if (name === 'link' && rel === 'alternate') entry.address = href;
  else if (name === 'thr:in-reply-to') entry.answers = ref;
}

/** Texts by the element around theirs and their own. */
const textFields: Record<
  string,
  'id' | 'title' | 'published' | 'updated' | 'author' | 'address' | 'answers'
> = {
  'entry id': 'id',
  'entry title': 'title',
  'entry published': 'published',
  'entry updated': 'updated',
  'author name': 'author',
  'entry blogger:filename': 'address',
  'entry blogger:parent': 'answers',
};

function readText(entry: BloggerEntry, name: string, parent: string, text: string): void {
  const value = text.trim();
  const element = `${parent} ${name}`;
  if (Object.hasOwn(textFields, element)) entry[textFields[element]!] = value;
  else if (element === 'entry content') entry.content = text;
  else if (element === 'entry blogger:type') entry.kind = value.toLowerCase();
  else if (element === 'entry blogger:status') entry.isPublic = value === 'LIVE';
  else if (element === 'app:control app:draft') entry.isPublic = value !== 'yes';
}
