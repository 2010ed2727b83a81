// Loaded before a command: tells on stderr how many timers run when it prints its result. It ends only after them.
const { stdout } = process;
const write = stdout.write.bind(stdout);
stdout.write = (...input) => {
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  if (timers > 0) process.stderr.write(`${timers} timers are running\n`);
  return write(...input);
};
