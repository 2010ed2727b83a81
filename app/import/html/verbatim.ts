// Noncharacters of Unicode: no text has them, and no Markdown writer escapes them.
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';

/** Pieces that appear unchanged in the Markdown: the writer escapes only the text around them. */
export class Verbatim {
  private readonly pieces: string[] = [];

  /** A placeholder for a tree. The piece replaces it in the Markdown. */
  add(piece: string): string {
    this.pieces.push(piece);
    return `${OPEN}${this.pieces.length - 1}${CLOSE}`;
  }

  /** A text from outside, without characters that could be taken for a placeholder. */
  without(text: string): string {
    return text.replace(/[\uFDD0\uFDD1]/g, '');
  }

  /** A text in which every further line of a piece begins with a prefix, such as `> ` in a quotation. */
  prefixed(text: string, prefix: string): string {
    return text.replace(/\uFDD0\d+\uFDD1/g, (mark) =>
      this.add(this.restore(mark).replaceAll('\n', `\n${prefix}`)),
    );
  }

  restore(markdown: string): string {
    return markdown.replace(/\uFDD0(\d+)\uFDD1/g, (_, number: string) => this.pieces[Number(number)]!);
  }
}
