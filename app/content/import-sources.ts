/** Where `content:import` takes posts from. */
export const importSources = [
  'markdown',
  'wordpress',
  'ghost',
  'substack',
  'medium',
  'blogger',
  'tumblr',
] as const;
export type ImportSource = (typeof importSources)[number];
