import { ghostWriter } from './ghost-writer.server.ts';
import { hugoWriter, jekyllWriter, markdownWriter } from './markdown-writer.ts';
import type { ExportTargetName } from './targets.ts';
import { wordpressWriter } from './wordpress-writer.server.ts';
import type { ExportedSite, ExportWriter } from './writer.ts';

const writers: Record<ExportTargetName, (site: ExportedSite) => ExportWriter> = {
  markdown: markdownWriter,
  hugo: hugoWriter,
  jekyll: jekyllWriter,
  ghost: ghostWriter,
  wordpress: wordpressWriter,
};

/** The writer of a format. */
export function createWriter(to: ExportTargetName, site: ExportedSite): ExportWriter {
  return writers[to](site);
}
