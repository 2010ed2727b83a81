import { keysOf } from '#app/platform/narrow.ts';
/** Where an export for one system puts its media. */
export interface ExportTarget {
  /** Below the output folder. */
  mediaFolder: string;
  /** The address of a media file in a post's text. */
  addressOf: (name: string) => string;
  /** A copy's name: a hash of its content, or its path in the uploads folder. */
  nameBy: 'content' | 'path';
}

export const exportTargets = {
  markdown: { mediaFolder: 'media', addressOf: (name) => `../media/${name}`, nameBy: 'content' },
  hugo: { mediaFolder: 'static/uploads', addressOf: (name) => `/uploads/${name}`, nameBy: 'content' },
  jekyll: {
    mediaFolder: 'assets/uploads',
    addressOf: (name) => `/assets/uploads/${name}`,
    nameBy: 'content',
  },
  ghost: { mediaFolder: 'content/images', addressOf: (name) => `/content/images/${name}`, nameBy: 'content' },
  wordpress: { mediaFolder: 'uploads', addressOf: (name) => `/uploads/${name}`, nameBy: 'path' },
} as const satisfies Record<string, ExportTarget>;

export type ExportTargetName = keyof typeof exportTargets;
export const exportTargetNames = keysOf(exportTargets);

/** The value of `exported_by` in the front matter of an export. An import does not convert the text of such a file. */
export const EXPORTED_BY = 'Dateline';
