// For `node --import`: leaves in USAGE_FILE what a command has used, which its parent cannot ask Node for.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { peakBytes: maxRSS * 1_024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
});
