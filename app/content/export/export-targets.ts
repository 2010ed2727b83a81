/** What an export is written for, and where each of them looks for media. */
export interface ExportTarget {
  /** Below the output folder. */
  mediaFolder: string;
  /** How a text names a file of it. */
  addressOf: (name: string) => string;
  /** What a copy is called: by its content, or as in the uploads folder. */
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
export const exportTargetNames = Object.keys(exportTargets) as ExportTargetName[];

/** Says in a front matter that a file is an export of this product, so that an import takes its text as it is. */
export const EXPORTED_BY = 'Dateline';
