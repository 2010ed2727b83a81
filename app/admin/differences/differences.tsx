import type { ReactNode } from 'react';
import type { DiffLine, DiffPart, ShownLine } from '#app/posts/history/compare-texts.ts';
import { useWords } from '#app/ui/words.ts';
import type { ShownDifference } from './describe.server.ts';

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

/** The differences between two texts of a post, field by field. */
export function Differences({
  differences,
  body,
  none = 'The two revisions are identical.',
}: {
  differences: ShownDifference[];
  /** What is shown of the body instead of its source. */
  body?: ReactNode;
  /** What is said when there are none. */
  none?: string;
}) {
  const t = useWords();
  if (differences.length === 0) return <p className="empty">{t(none)}</p>;
  return (
    <>
      {differences.map((field) => (
        <section key={field.label} className="panel" aria-label={t(field.label)}>
          <h3>{t(field.label)}</h3>
          {body && field.field === 'body' ? (
            body
          ) : field.kind === 'text' ? (
            <TextDiff lines={field.lines} label={t(field.label)} />
          ) : null}
          {field.kind === 'list' ? (
            <p>
              {field.removed.map((tag) => (
                <del key={tag}>{tag} </del>
              ))}
              {field.added.map((tag) => (
                <ins key={tag}>{tag} </ins>
              ))}
              {field.added.length + field.removed.length === 0 ? t('Reordered') : null}
            </p>
          ) : null}
          {field.kind === 'value' ? (
            <p>
              <del>{field.before}</del> <ins>{field.after}</ins>
            </p>
          ) : null}
        </section>
      ))}
    </>
  );
}
