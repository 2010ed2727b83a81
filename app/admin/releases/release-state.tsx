import { useWords } from '#app/ui/words.ts';

interface Stated {
  status: string;
  publishAt: Date | null;
  problem: string;
}

/** The state of a release in one word. `isBlocked`: a problem prevents its publication now. */
export function ReleaseState({
  release,
  isBlocked = release.problem !== '',
  now,
}: {
  release: Stated;
  isBlocked?: boolean;
  now: Date;
}) {
  const t = useWords();
  const word = stateOf({ ...release, isBlocked }, now);
  return <span className={`state state-${word === 'blocked' ? 'overdue' : word}`}>{t(word)}</span>;
}

function stateOf({ status, publishAt, isBlocked }: Stated & { isBlocked: boolean }, now: Date): string {
  if (status !== 'scheduled') return status;
  if (isBlocked) return 'blocked';
  return publishAt && publishAt <= now ? 'overdue' : status;
}
