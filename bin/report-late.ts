/** Says on stderr what is late and makes a command fail: what the command prints has no field for it. */
export function reportLate(what: string, dueAt: Date): void {
  process.stderr.write(
    `${what} was due at ${dueAt.toISOString()}. Let cron run npm run posts:publish-scheduled every 5 minutes.\n`,
  );
}

export function reportLateReleases(releases: readonly { name: string; publishAt: Date }[]): void {
  for (const { name, publishAt } of releases) reportLate(`The release “${name}”`, publishAt);
}
