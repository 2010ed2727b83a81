/** As `posts/markdown/embed-lines.ts` writes it into stored texts. */
const FRAME = /<iframe src="([^"]*)" title="([^"]*)"[^>]*><\/iframe>/g;

/**
 * A text whose frames load only when a reader opens their facades, even without scripts: a browser then ignores
 * `loading="lazy"`. Without scripts the parser reads the content of `noscript` as elements. The frame becomes content
 * of a `template`, which is never loaded, and a link leads to its page. With scripts the same content is plain text,
 * and the parser skips the two end tags after the frame.
 */
export function deferFrames(html: string): string {
  return html.includes('<iframe ')
    ? html.replace(
        FRAME,
        (frame, address: string, title: string) =>
          `<noscript><a href="${address}" rel="external noopener">${title}</a><template></noscript>${frame}</template></noscript>`,
      )
    : html;
}
