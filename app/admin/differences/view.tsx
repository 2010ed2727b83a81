import type { DiffLine, DiffPart, ShownLine } from '#app/posts/history/compare-texts.ts';
import { useWords } from '#app/ui/words.ts';

const marks = { same: ' ', added: '+', removed: '−' };

/** Two texts line by line. */
export function TextDiff({ lines, label }: { lines: ShownLine[]; label: string }) {
  const t = useWords();
  return (
    <div className="diff scroll" role="group" aria-label={label} tabIndex={0}>
      {lines.map((part, index) =>
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
