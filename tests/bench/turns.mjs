// For `node --import`: tells its parent, over their channel, how long the turns of this thread's event loop were between
// `begin` and `end`, in milliseconds of the thread's processor time, the longest three first.
import { openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.TELL_TURNS) {
  // Not for the processes that it starts.
  delete process.env.TELL_TURNS;
  const file = openSync('/proc/self/schedstat', 'r');
  const buffer = Buffer.alloc(64);
  let isCounting = false;
  let turns = [];
  let before = 0;

  process.on('message', (message) => {
    isCounting = message === 'begin';
    if (isCounting) {
      turns = [];
      before = processorMs();
      setImmediate(count);
    }
    // After the turn that it is in has been counted; what is asked for before this answer is not counted.
    setImmediate(() => process.send(turns.sort((one, other) => other - one).slice(0, 3)));
  });
  process.channel.unref();

  function count() {
    turns.push(processorMs() - before);
    // Without what the reading itself took.
    before = processorMs();
    if (isCounting) setImmediate(count);
  }

  function processorMs() {
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  }
}
