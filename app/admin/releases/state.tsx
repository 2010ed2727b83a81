import { type Message } from '#app/platform/message.ts';
import { useWords } from '#app/ui/words.ts';

interface Stated {
  status: string;
  publishAt: Date | null;
  problem: Message;
}

/** The colours of states that posts do not have. */
const colours: Record<string, string> = { blocked: 'overdue', 'rolled back': 'archived' };

/** The state of a release in a word or two. `isBlocked`: a problem prevents its publication now. */
export function ReleaseState({
  release,
  isBlocked = release.problem !== '',
  isRolledBack,
  now,
}: {
  release: Stated;
  isBlocked?: boolean;
  isRolledBack: boolean;
  now: Date;
}) {
  const t = useWords();
  const word = isRolledBack ? 'rolled back' : stateOf({ ...release, isBlocked }, now);
  return <span className={`state state-${colours[word] ?? word}`}>{t(word)}</span>;
}

function stateOf({ status, publishAt, isBlocked }: Stated & { isBlocked: boolean }, now: Date): string {
  if (status !== 'scheduled') return status;
  if (isBlocked) return 'blocked';
  return publishAt && publishAt <= now ? 'overdue' : status;
}
