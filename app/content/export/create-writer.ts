import type { ExportTargetName } from './export-targets.ts';
import type { ExportedSite, ExportWriter } from './export-writer.ts';
import { ghostWriter } from './ghost-writer.ts';
import { hugoWriter, jekyllWriter, markdownWriter } from './markdown-writer.ts';
import { wordpressWriter } from './wordpress-writer.ts';

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
