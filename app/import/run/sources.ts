/** Where `content:import` takes posts from, with what its `--input` is. */
export const importSources = {
  markdown: { name: 'Markdown files', input: 'folder of Markdown files' },
  wordpress: { name: 'WordPress', input: 'WXR file of WordPress' },
  ghost: { name: 'Ghost', input: 'JSON file of Ghost' },
  substack: { name: 'Substack', input: 'folder or ZIP file of Substack' },
  medium: { name: 'Medium', input: 'folder or ZIP file of Medium' },
  blogger: { name: 'Blogger', input: 'XML file of Blogger' },
  tumblr: { name: 'Tumblr', input: 'XML file of Tumblr' },
} as const;
export type ImportSource = keyof typeof importSources;
