import path from 'node:path';
import sharp from 'sharp';
import { projectRoot } from '#app/platform/project.server.ts';
import { escapeText } from '#app/platform/text/html.ts';
import { cardSize, type Card } from './card.server.ts';

const MARGIN = 80;
const TEXT_WIDTH = cardSize.width - 2 * MARGIN;
/** Height of the title, between the site's name and the authors. */
const TITLE_HEIGHT = 350;
const TITLE_SIZES = [88, 76, 64, 54, 46, 40];
const SMALL_SIZE = 34;

const fontFolder = path.join(projectRoot, 'app/site/cards/fonts');
const families = {
  text: { font: 'Inter', fontfile: path.join(fontFolder, 'Inter-Regular.ttf') },
  bold: { font: 'Inter Bold', fontfile: path.join(fontFolder, 'Inter-Bold.ttf') },
  serif: { font: 'Source Serif 4 Bold', fontfile: path.join(fontFolder, 'SourceSerif4-Bold.ttf') },
};

// The picture library reads this variable once, before its first text. Without it, the machine's fonts replace
// characters that ours lack, and a machine without fonts prints an error.
process.env.FONTCONFIG_FILE = path.join(fontFolder, 'fonts.conf');

/** Draws a card as a PNG, in threads of the picture library, so the event loop is not blocked. Pango sets the text. */
export async function drawCard({ title, site, authors, serif, colors }: Card): Promise<Buffer> {
  const heading = await fittingTitle(title, serif ? families.serif : families.bold, colors.ink);
  const [name, people] = await Promise.all([
    textPicture(site, families.bold, SMALL_SIZE, colors.accent),
    authors === '' ? null : textPicture(authors, families.text, SMALL_SIZE, colors.soft),
  ]);
  const top = MARGIN + 70 + Math.max(0, Math.round((TITLE_HEIGHT - heading.height) / 2));
  const bar = { width: cardSize.width, height: 16, channels: 3, background: colors.accent } as const;
  return sharp({ create: { ...cardSize, channels: 3, background: colors.paper } })
    .composite([
      { input: { create: bar }, left: 0, top: 0 },
      { input: name.data, left: MARGIN, top: MARGIN - 10 },
      { input: heading.data, left: MARGIN, top },
      ...(people
        ? [{ input: people.data, left: MARGIN, top: cardSize.height - MARGIN - people.height + 10 }]
        : []),
    ])
    .png({ palette: true, colours: 64, effort: 4 })
    .toBuffer();
}

type Family = (typeof families)[keyof typeof families];
interface TextPicture {
  data: Buffer;
  height: number;
}

/** The title in the largest size that leaves room for the rest. */
async function fittingTitle(title: string, family: Family, color: string): Promise<TextPicture> {
  // A size that cannot fit need not be tried: characters are about half as wide as high.
  const possible = TITLE_SIZES.filter((size) => title.length * size * 0.4 * size < TEXT_WIDTH * TITLE_HEIGHT);
  for (const size of possible) {
    const picture = await textPicture(title, family, size, color);
    if (picture.height <= TITLE_HEIGHT) return picture;
  }
  return textPicture(title, family, TITLE_SIZES.at(-1)!, color);
}

async function textPicture(text: string, family: Family, size: number, color: string): Promise<TextPicture> {
  const { data, info } = await sharp({
    text: {
      ...family,
      text: `<span foreground="${color}" size="${size}pt" line_height="1.12">${escapeText(text)}</span>`,
      width: TEXT_WIDTH,
      wrap: 'word-char',
      rgba: true,
      // A point is a pixel.
      dpi: 72,
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  return { data, height: info.height };
}
