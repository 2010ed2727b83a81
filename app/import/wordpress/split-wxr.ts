/**
 * A piece of a WXR file. `cut`: the file ends, or another item begins, inside this item; `huge`: an item too long to
 * hold, without its text; `end`: the end tag of the channel, which a file that is cut off lacks.
 */
export interface WxrPart {
  kind: 'head' | 'item' | 'cut' | 'huge' | 'end';
  xml: string;
}

/** A post has up to 2 MB; the rest is for its comments, which are inside of it. */
const MAX_ITEM_CHARACTERS = 64_000_000;
const LONGEST_TOKEN = '</channel>'.length;

const outside = /<!\[CDATA\[|<item[\s>]|<\/item\s*>|<\/channel\s*>/g;
const CDATA_END = ']]>';

/**
 * Splits a WXR file into its head and its items, so that one damaged item does not spoil the others and no more than
 * one is in memory. Tags inside CDATA do not count.
 */
export async function* splitWxr(
  chunks: AsyncIterable<string>,
  maxItem = MAX_ITEM_CHARACTERS,
): AsyncGenerator<WxrPart> {
  let text = '';
  let position = 0;
  let inCdata = false;
  let isHead = true;
  let start: number | null = null;
  let isHuge = false;
  let hasEnd = false;
  for await (const chunk of chunks) {
    text += chunk;
    for (;;) {
      if (inCdata) {
        const end = text.indexOf(CDATA_END, position);
        if (end === -1) break;
        [position, inCdata] = [end + CDATA_END.length, false];
      }
      outside.lastIndex = position;
      const match = outside.exec(text);
      if (!match) break;
      position = outside.lastIndex;
      if (match[0].startsWith('<!')) inCdata = true;
      else if (match[0].startsWith('</channel')) hasEnd = true;
      else if (match[0].startsWith('<item')) {
        if (isHead) yield { kind: 'head', xml: text.slice(0, match.index) };
        isHead = false;
        // An item that was never closed.
        if (start !== null) yield { kind: 'cut', xml: text.slice(start, match.index) };
        [text, position, start] = [text.slice(match.index), match[0].length, 0];
      } else if (start !== null) {
        yield isHuge ? { kind: 'huge', xml: '' } : { kind: 'item', xml: text.slice(start, position) };
        [text, position, start, isHuge] = [text.slice(position), 0, null, false];
      }
    }
    // A token may begin at the end of one chunk and continue in the next.
    position = Math.max(position, text.length - LONGEST_TOKEN);
    if (isHead && text.length > maxItem) break;
    if (!isHead && (start === null || text.length > maxItem)) {
      isHuge ||= start !== null;
      [text, position] = [text.slice(position), 0];
    }
  }
  if (isHead) yield { kind: 'head', xml: text };
  else if (start !== null) yield isHuge ? { kind: 'huge', xml: '' } : { kind: 'cut', xml: text };
  if (hasEnd) yield { kind: 'end', xml: '' };
}
