import { useEffect, useRef } from 'react';
import type { FieldErrors } from '#app/platform/errors.ts';
import { type Message } from '#app/platform/message.ts';
import { useWords } from '#app/ui/words.ts';

interface ErrorSummaryProps {
  message: Message | undefined;
  errors: FieldErrors;
  unseen: ReadonlySet<string>;
}

/** The errors of a form: a link to each field, and the full message for names without a visible field. */
export function ErrorSummary({ message, errors, unseen }: ErrorSummaryProps) {
  const t = useWords();
  const box = useRef<HTMLDivElement>(null);
  const names = Object.keys(errors);
  const seen = names.filter((name) => !unseen.has(name));
  const elsewhere = names.filter((name) => unseen.has(name)).flatMap((name) => errors[name]!);
  const first = seen[0];
  useEffect(() => {
    if (first) focusField(first);
    else if (Object.keys(errors).length > 0) box.current?.scrollIntoView({ block: 'nearest' });
  }, [errors, first]);
  if (!message && names.length === 0) return null;
  const problem =
    seen.length > 0
      ? t.count(
          'There is a problem: check {count} field',
          'There is a problem: check {count} fields',
          seen.length,
        )
      : t.message(message ?? 'There is a problem.');
  return (
    <div className="notice notice-error" role="alert" ref={box}>
      <p>
        <strong>
          {/* A single error has its message beside its field, so the summary is only the link. */}
          {first && seen.length === 1 ? <FieldLink name={first}>{problem}</FieldLink> : problem}
        </strong>{' '}
        {elsewhere.map((error) => t.message(error)).join(' ')}
      </p>
      {seen.length > 1 ? (
        <ul>
          {seen.map((name) => (
            <li key={name}>
              <FieldLink name={name}>{errors[name]!.map((error) => t.message(error)).join(' ')}</FieldLink>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function FieldLink({ name, children }: { name: string; children: string }) {
  return (
    <a href={`#field-${name}`} onClick={() => focusField(name)}>
      {children}
    </a>
  );
}

function focusField(name: string): void {
  const field = document.getElementById(`field-${name}`);
  const closed = field?.closest('details');
  if (closed) closed.open = true;
  field?.focus();
}
