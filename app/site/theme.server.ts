import { createHash } from 'node:crypto';
import { themeStylesheet } from './accent.ts';

/** Path of the accent colour's stylesheet. It names the colour and the hash of the bytes, so it never goes stale. */
export function themePath(accentColor: string): string {
  return `/theme/${accentColor.slice(1)}-${hashOf(themeStylesheet(accentColor))}.css`;
}

/** The stylesheet behind a path's last segment; null for one that `themePath` does not make. */
export function readTheme(file: string): string | null {
  const accentColor = `#${/^([0-9a-f]{6})-[0-9a-f]{8}\.css$/.exec(file)?.[1]}`;
  return themePath(accentColor) === `/theme/${file}` ? themeStylesheet(accentColor) : null;
}

function hashOf(stylesheet: string): string {
  return createHash('sha256').update(stylesheet).digest('hex').slice(0, 8);
}
