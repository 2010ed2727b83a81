import { say, type Message } from '#app/platform/message.ts';
import type { Heading } from '#app/posts/markdown/decorate.ts';

/** A warning before a post is published. Warnings do not prevent publishing. */
export interface PublishCheck {
  name: 'alt' | 'cover' | 'links' | 'excerpt' | 'headings' | 'template' | 'title';
  message: Message;
}

const template = /\b(?:lorem ipsum|TODO|TKTK|FIXME|XXX)\b|\[(?:insert|your) [^\]]*\]/;

/** The warnings about a post's own fields. `html`: the rendered body. */
export function checkText(post: {
  title: string;
  excerpt: string;
  body: string;
  html: string;
  headings: Heading[];
  coverMediaId: string | null;
  coverAlt: string;
  coverDecorative: string;
  template: string;
  /** The texts of templates. */
  templates: readonly string[];
}): PublishCheck[] {
  const checks: PublishCheck[] = [];
  const add = (name: PublishCheck['name'], message: Message) => checks.push({ name, message });
  if (/^untitled\b/i.test(post.title)) add('title', 'The title is still “Untitled”.');
  // A decorative picture needs no alternative text.
  const pictures = post.html.match(/<img\b[^>]*>/g) ?? [];
  const withoutAlt = pictures.filter(
    (tag) => tag.includes(' alt=""') && !tag.includes('role="presentation"'),
  ).length;
  if (withoutAlt > 0) {
    const message =
      withoutAlt === 1
        ? '1 picture has no alternative text.'
        : say('{number} pictures have no alternative text.', { number: withoutAlt });
    add('alt', message);
  }
  if (post.coverMediaId !== null && post.coverAlt === '' && post.coverDecorative === '')
    add('cover', 'The cover image has no description.');
  if (post.excerpt === '')
    add('excerpt', 'There is no excerpt: lists and feeds show the beginning of the text.');
  const skipped = post.headings.find(({ depth }, index) => {
    const before = post.headings[index - 1]?.depth ?? 1;
    return depth > before + 1;
  });
  if (skipped) add('headings', say('The heading “{text}” skips a level.', { text: skipped.text }));
  const left =
    template.exec(`${post.title}\n${post.excerpt}\n${post.body}`)?.[0] ??
    post.templates.map((text) => unchangedLine(text, post.body)).find((line) => line !== null);
  if (left) add('template', say('“{text}” looks like placeholder text.', { text: left }));
  if (post.template === 'yes')
    add('template', 'This post is a template: publish a copy of it, or set “Template” to “No” first.');
  return checks;
}

/**
 * The first line of a template that is still unchanged in a text made from it: a line in brackets, or the first one if
 * the text equals the template. Other lines of a template may stay in the post.
 */
function unchangedLine(templateText: string, text: string): string | null {
  const [templateLines, textLines] = [linesOf(templateText), linesOf(text)];
  if (textLines.length > 0 && textLines.join('\n') === templateLines.join('\n')) return textLines[0]!;
  const unchanged = new Set(textLines);
  return (
    templateLines.find(
      (line) => /^[^\p{L}\p{N}]*[([<{].*[)\]>}][^\p{L}\p{N}]*$/u.test(line) && unchanged.has(line),
    ) ?? null
  );
}

/** The lines of a text that are neither blank nor headings. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
