# Sourced by the point-in-time drills: stops unless counts, search index and `doctor` say that the site is whole. Needs
# their function `dateline`, which runs a command on the recovered database.
dateline posts:check-counts
dateline search:reindex-posts 2>/dev/null
dateline search:check-index
dateline doctor | node -e '
  const { checks } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  // No server runs here.
  const problems = checks.filter(({ name, status }) => status === "problem" && name !== "AUTH_URL");
  for (const { name, message } of problems) console.error(`${name}: ${message}`);
  process.exit(problems.length === 0 ? 0 : 1);'
