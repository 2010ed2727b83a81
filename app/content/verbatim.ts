// Noncharacters of Unicode: no text has them, and no Markdown writer escapes them.
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';

/** Pieces that appear in the Markdown exactly as they are, whatever the writer escapes around them. */
export class Verbatim {
  private readonly pieces: string[] = [];

  /** A text for a tree that becomes the piece in the end. */
  add(piece: string): string {
    this.pieces.push(piece);
    return `${OPEN}${this.pieces.length - 1}${CLOSE}`;
  }

  /** A text from outside, without what could be taken for one of the pieces. */
  without(text: string): string {
    return text.replace(/[\uFDD0\uFDD1]/g, '');
  }

  /** A text of which further lines of pieces begin with a sign, such as `> ` in a quotation. */
  prefixed(text: string, prefix: string): string {
    return text.replace(/\uFDD0\d+\uFDD1/g, (mark) =>
      this.add(this.restore(mark).replaceAll('\n', `\n${prefix}`)),
    );
  }

  restore(markdown: string): string {
    return markdown.replace(/\uFDD0(\d+)\uFDD1/g, (_, number: string) => this.pieces[Number(number)]!);
  }
}
