import type { DiffLine, DiffPart } from '#app/posts/revision-diff.ts';
import { useWords } from '#app/ui/words.ts';

/** Unchanged lines that stay in sight beside a change. */
const CONTEXT = 2;

const marks = { same: ' ', added: '+', removed: '−' };

/** Two texts line by line; long runs of unchanged lines are folded. */
export function TextDiff({ lines, label }: { lines: DiffLine[]; label: string }) {
  const t = useWords();
  return (
    <div className="diff scroll" role="group" aria-label={label} tabIndex={0}>
      {foldUnchanged(lines).map((part, index) =>
        'hidden' in part ? (
          <p key={index} className="diff-fold">
            {t.count('{count} unchanged line', '{count} unchanged lines', part.hidden)}
          </p>
        ) : (
          <Line key={index} line={part} />
        ),
      )}
    </div>
  );
}

function Line({ line }: { line: DiffLine }) {
  return (
    <div className={`diff-line diff-${line.kind}`}>
      <span className="diff-mark" aria-hidden="true">
        {marks[line.kind]}
      </span>
      {line.kind === 'same' ? null : <span className="sr-only">{line.kind}: </span>}
      <span className="diff-text">
        {line.parts.map((part, index) => (
          <Part key={index} part={part} whole={line.parts.length === 1} />
        ))}
      </span>
    </div>
  );
}

function Part({ part, whole }: { part: DiffPart; whole: boolean }) {
  if (part.kind === 'same' || whole) return <>{part.text}</>;
  return part.kind === 'added' ? <ins>{part.text}</ins> : <del>{part.text}</del>;
}

/** Pure: runs of unchanged lines that are no change's neighbours become their number. */
export function foldUnchanged(lines: DiffLine[]): (DiffLine | { hidden: number })[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  );
  const shown: (DiffLine | { hidden: number })[] = [];
  let hidden = 0;
  lines.forEach((line, index) => {
    if (near[index]) {
      if (hidden > 0) shown.push({ hidden });
      hidden = 0;
      shown.push(line);
    } else hidden += 1;
  });
  if (hidden > 0) shown.push({ hidden });
  return shown;
}
