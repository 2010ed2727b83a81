import type { ReactNode } from 'react';
import { useWords } from '#app/ui/words.ts';
import type { ShownDifference } from './describe.server.ts';
import { TextDiff } from './view.tsx';

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
