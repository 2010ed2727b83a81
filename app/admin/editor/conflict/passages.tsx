import { useRef, useState } from 'react';
import { TextDiff } from '#app/admin/differences/view.tsx';
import { isChanged, joinPassages, type ChangedPassage, type Take } from '#app/posts/history/passages.ts';
import { useWords } from '#app/ui/words.ts';
import type { ConflictText } from './conflict.server.ts';
import { passageField } from './passage-field.ts';

/**
 * The paragraphs that differ, each with the original, both versions and a choice. Without scripts a button puts the
 * chosen ones into the result; with scripts each choice does.
 */
export function Passages({ text }: { text: ConflictText }) {
  const t = useWords();
  const { passages, typed, opened } = text;
  const [chosen, setChosen] = useState(text.chosen);
  const combine = useRef<HTMLButtonElement>(null);
  const choose = (number: number, take: Take) => {
    const next = chosen.map((before, index) => (index === number ? take : before));
    const body = combine.current!.form!.elements.namedItem('body') as HTMLTextAreaElement;
    // The server merges the choice with what was typed into the result.
    if (body.value !== joinPassages(passages, chosen)) return combine.current!.click();
    body.value = joinPassages(passages, next);
    setChosen(next);
  };
  const changed = passages.filter(isChanged);
  const shown = passages.map((passage, index) => {
    if (!isChanged(passage)) return <Unchanged key={index} text={passage.text} />;
    const number = changed.indexOf(passage);
    return (
      <Changed
        key={index}
        passage={passage}
        number={number}
        take={typed === null ? null : chosen[number]!}
        onTake={(take) => choose(number, take)}
      />
    );
  });
  if (typed === null) return <div className="passages">{shown}</div>;
  return (
    <div className="passages">
      {shown}
      <input type="hidden" name="typed" value={typed} />
      <input type="hidden" name="opened" value={opened.version} />
      <input type="hidden" name="openedText" value={opened.releaseText} />
      <input type="hidden" name="chosen" value={chosen.join(' ')} />
      <button ref={combine} name="combine" value="yes" formAction="#conflict-body">
        {t('Combine the chosen versions')}
      </button>
    </div>
  );
}

function Unchanged({ text }: { text: string }) {
  const t = useWords();
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  if (lines === 0) return null;
  return <p className="diff-fold">{t.count('{count} unchanged line', '{count} unchanged lines', lines)}</p>;
}

const labels: Record<Take, string> = {
  base: 'Original',
  mine: 'Yours',
  theirs: 'Other version',
  both: 'Both changes',
};
const order = ['base', 'mine', 'theirs', 'both'] as const;

/** @param props.take null: nothing can be chosen */
function Changed({
  passage,
  number,
  take,
  onTake,
}: {
  passage: ChangedPassage;
  number: number;
  take: Take | null;
  onTake: (take: Take) => void;
}) {
  const t = useWords();
  const versions = order.filter((version) => passage[version] !== null);
  return (
    <fieldset className="passage">
      <legend>{t('Change {number}', { number: number + 1 })}</legend>
      <p className="hint">{t(changedBy(passage))}</p>
      <div className="sides">
        {versions.map((version) => (
          <div key={version}>
            {take === null ? (
              <h3>{t(labels[version])}</h3>
            ) : (
              <label>
                <input
                  type="radio"
                  name={passageField(number)}
                  value={version}
                  checked={take === version}
                  onChange={() => onTake(version)}
                />{' '}
                {t(labels[version])}
              </label>
            )}
            <Version passage={passage} version={version} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function changedBy({ base, mine, theirs }: ChangedPassage): string {
  if (theirs === base) return 'Changed in yours';
  return mine === base ? 'Changed in the other version' : 'changed in both';
}

function Version({ passage, version }: { passage: ChangedPassage; version: Take }) {
  const t = useWords();
  const text = passage[version]!;
  const changes = version === 'mine' || version === 'theirs' ? passage.changes[version] : [];
  if (changes.some((line) => !('hidden' in line)))
    return <TextDiff lines={changes} label={t(labels[version])} />;
  return <div className="diff-text">{text.trim() === '' ? t('(empty)') : text.trim()}</div>;
}
