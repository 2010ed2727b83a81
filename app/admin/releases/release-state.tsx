import { useWords } from '#app/ui/words.ts';
interface Stated {
  status: string;
  publishAt: Date | null;
  problem: string;
}

/** The state of a release in one word. */
export function ReleaseState({ release, now }: { release: Stated; now: Date }) {
  const t = useWords();
  const word = stateOf(release, now);
  return <span className={`state state-${word === 'blocked' ? 'overdue' : word}`}>{t(word)}</span>;
}

function stateOf({ status, publishAt, problem }: Stated, now: Date): string {
  if (status !== 'scheduled') return status;
  if (problem !== '') return 'blocked';
  return publishAt && publishAt <= now ? 'overdue' : status;
}
