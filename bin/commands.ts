import { distance } from 'fastest-levenshtein';
import type { CommandModule } from 'yargs';
import { adminCreate } from './commands/admin-create.ts';
import { backupExport } from './commands/backup-export.ts';
import { backupImport } from './commands/backup-import.ts';
import { backupList } from './commands/backup-list.ts';
import { backupProve } from './commands/backup-prove.ts';
import { backupRun } from './commands/backup-run.ts';
import { backupVerify } from './commands/backup-verify.ts';
import { contentCheckLinks } from './commands/content-check-links.ts';
import { contentCompare } from './commands/content-compare.ts';
import { contentExport } from './commands/content-export.ts';
import { contentImport } from './commands/content-import.ts';
import { dbMigrate } from './commands/db-migrate.ts';
import { dbSeed } from './commands/db-seed.ts';
import { doctor } from './commands/doctor.ts';
import { effectsRelease, effectsRun, effectsStatus } from './commands/effects.ts';
import { mediaMakeAvif } from './commands/media-make-avif.ts';
import { mediaMove } from './commands/media-move.ts';
import { postsCheckCounts } from './commands/posts-check-counts.ts';
import { postsPublishScheduled } from './commands/posts-publish-scheduled.ts';
import { quickstartSeed } from './commands/quickstart-seed.ts';
import { contentNew, postsArchive, postsList, postsPublish, postsShow } from './commands/posts.ts';
import { searchCheckIndex } from './commands/search-check-index.ts';
import { searchReindexPosts } from './commands/search-reindex-posts.ts';
import { settingsGet, settingsSet } from './commands/settings.ts';
import { postsStatus, releasesStatus } from './commands/status.ts';
import {
  bouncesTry,
  subscribersExport,
  subscribersImport,
  usersDisable,
  usersList,
} from './commands/users.ts';

/** Every command, by name. */
export const commands: CommandModule[] = [
  adminCreate,
  backupExport,
  backupImport,
  backupList,
  backupProve,
  backupRun,
  backupVerify,
  bouncesTry,
  contentCheckLinks,
  contentCompare,
  contentExport,
  contentImport,
  contentNew,
  dbMigrate,
  dbSeed,
  doctor,
  effectsRelease,
  effectsRun,
  effectsStatus,
  mediaMakeAvif,
  mediaMove,
  postsArchive,
  postsCheckCounts,
  postsList,
  postsPublish,
  postsPublishScheduled,
  postsShow,
  postsStatus,
  quickstartSeed,
  releasesStatus,
  searchCheckIndex,
  searchReindexPosts,
  settingsGet,
  settingsSet,
  subscribersExport,
  subscribersImport,
  usersDisable,
  usersList,
] as CommandModule[];

/** The name of a command, without its arguments. */
export function nameOf({ command }: CommandModule): string {
  return String(command).split(' ')[0]!;
}

const NEAREST_MAX = 3;

/** The commands whose names are the most like a wrong one: those that begin or go on like it, then those by letters. */
export function nearestCommands(wrong: string): string[] {
  const names = commands.filter(({ describe }) => describe !== false).map(nameOf);
  return names
    .map((name) => ({ name, rank: rankOf(wrong, name) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, NEAREST_MAX)
    .map(({ name }) => name);
}

/** The part of the name that differs; a common word counts much. */
function rankOf(wrong: string, name: string): number {
  const words = new Set(name.split(/[:-]/));
  const common = wrong.split(/[:\s_-]/).filter((word) => words.has(word)).length;
  return distance(wrong, name) / Math.max(wrong.length, name.length) - common / 2;
}
