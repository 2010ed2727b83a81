/** Names on stderr the late releases because of which a command fails. */
export function reportLateReleases(releases: readonly { name: string; publishAt: Date }[]): void {
  for (const { name, publishAt } of releases)
    process.stderr.write(
      `The release “${name}” was due at ${publishAt.toISOString()}. Let cron run npm run posts:publish-scheduled every 5 minutes.\n`,
    );
}
