import { useRef, useState } from 'react';
import { TextDiff } from '#app/admin/differences/differences.tsx';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { passageField } from '#app/admin/editor/model/form-fields.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { isChanged, joinPassages, type ChangedPassage, type Take } from '#app/posts/history/passages.ts';
import { Choice, Options, TextArea, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { ConflictField, ConflictPage, ConflictText } from './conflict.server.ts';

interface ConflictProps {
  conflict: ConflictPage;
  data: EditorData;
  adminContext: AdminContext;
}

const changers = { me: 'changed in yours', them: 'changed in the other version', both: 'changed in both' };
const otherIntents: Record<string, string> = {
  publish: 'Save this and publish',
  schedule: 'Save this and schedule',
  draft: 'Save this as a draft',
  archive: 'Save this and archive',
  delete: 'Delete this version too',
};

/** The page after a save of a stale version: both versions, and a form with the two merged. Nothing is lost. */
export function Conflict({ conflict, data, adminContext }: ConflictProps) {
  const t = useWords();
  const differing = new Set(conflict.fields.map(({ name }) => name));
  const post = data.post!;
  const otherVersion = adminUrl(adminContext.adminPath, 'posts', post.id) + queryOf(conflict);
  const archiving = data.releases.of.find(
    (item) => item.release.id === conflict.releaseId && item.action === 'archive',
  );
  const isSelf = conflict.savedBy !== null && conflict.savedBy === adminContext.user?.displayName;
  return (
    <form method="post" className="conflict">
      <PageUserField />
      <div className="page-head">
        <h1>{t('Two versions of “{title}”', { title: data.values.title })}</h1>
      </div>
      <div className="notice notice-wait" role="alert">
        <p>
          {t.rich(
            isSelf
              ? 'You saved this post elsewhere, {time}, after you opened it here.'
              : '{name} saved this post, {time}, after you opened it.',
            {
              name: conflict.savedBy ?? t('Someone'),
              time: <Time instant={conflict.savedAt} {...adminContext} />,
            },
          )}{' '}
          {conflict.intent === 'delete' ? `${t('It was not deleted.')} ` : null}
          {t.rich(
            'Your text didn’t replace it and is kept in the {link}. The form below combines both: check it, edit it, and save.',
            {
              link: (
                <a href={adminUrl(adminContext.adminPath, 'posts', post.id, 'revisions')}>{t('revisions')}</a>
              ),
            },
          )}
        </p>
        {archiving ? (
          <p>
            {t('Archived by')}{' '}
            <a href={adminUrl(adminContext.adminPath, 'releases', archiving.release.id)}>
              {archiving.release.name}
            </a>
            .
          </p>
        ) : null}
      </div>
      {conflict.isUpdateGone ? (
        <p className="notice notice-wait">
          {t('The update is no longer scheduled. Enter a time to schedule this text again.')}
        </p>
      ) : null}
      {conflict.intent === 'prepare' ? (
        <>
          <TextField
            name="changeAt"
            label="Update time"
            type="datetime-local"
            defaultValue={conflict.changeAt}
            help={t('{timeZone} time', { timeZone: adminContext.timeZone })}
          />
          <OccurrenceChoice
            name="changeAtOccurrence"
            defaultValue={conflict.changeAtOccurrence}
            local={conflict.changeAt}
            adminContext={adminContext}
          />
          <button className="primary" name="intent" value="prepare">
            {t('Schedule this update')}
          </button>
        </>
      ) : (
        <button className="primary" name="intent" value="save">
          {t('Save this')}
        </button>
      )}{' '}
      {otherIntents[conflict.intent] ? (
        <button
          className={conflict.intent === 'delete' ? 'danger' : ''}
          name="intent"
          value={conflict.intent}
        >
          {t(otherIntents[conflict.intent]!)}
        </button>
      ) : null}{' '}
      <a className="button" href={otherVersion}>
        {t('Use the other version')}
      </a>
      <input type="hidden" name="version" value={conflict.version} />
      {conflict.edit === SCHEDULED_TEXT ? <input type="hidden" name="edit" value={conflict.edit} /> : null}
      {conflict.releaseId ? <input type="hidden" name="releaseId" value={conflict.releaseId} /> : null}
      {conflict.releaseText ? <input type="hidden" name="releaseText" value={conflict.releaseText} /> : null}
      {conflict.newCategory ? (
        <TextField
          name="newCategory"
          label="New category"
          autoComplete="off"
          defaultValue={conflict.newCategory}
        />
      ) : null}
      {Object.entries(conflict.resolved)
        .filter(([name]) => !differing.has(name))
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      {conflict.fields.map((field) => (
        <section key={field.name} className="conflict-field" aria-labelledby={`conflict-${field.name}`}>
          <h2 id={`conflict-${field.name}`}>
            {t(field.label)} <span className="hint">{t(changers[field.changedBy])}</span>
          </h2>
          {field.name === 'body' ? (
            <TextSides text={conflict.text} field={field} />
          ) : (
            <dl className="sides">
              <div>
                <dt>{t('Yours')}</dt>
                <dd>{field.mine || t('(empty)')}</dd>
              </div>
              <div>
                <dt>{t('Other version')}</dt>
                <dd>{field.theirs || t('(empty)')}</dd>
              </div>
            </dl>
          )}
          <ResolvedField
            of={field.name}
            name={field.name}
            label="Result"
            value={conflict.resolved[field.name] ?? ''}
            data={data}
          />
        </section>
      ))}
    </form>
  );
}

function TextSides({ text, field }: { text: ConflictText | null; field: ConflictField }) {
  const t = useWords();
  if (!text) return null;
  return (
    <>
      <p className="hint">{t(text.typed === null ? whatToCopy[text.outcome] : whatIsChosen(text, field))}</p>
      <Passages text={text} />
    </>
  );
}

const whatToCopy = {
  merged: 'The two versions changed different places: the text below has both changes.',
  mine: 'Both versions changed this text. Yours is below: copy over what you need from the other.',
};

function whatIsChosen({ outcome }: ConflictText, { changedBy }: ConflictField): string {
  if (changedBy === 'me') return 'Only you have changed the text: the text below has your change.';
  if (changedBy === 'them') return 'Only the other version has changes in the text: the text below has them.';
  if (outcome === 'merged') return whatToCopy.merged;
  return 'Both versions changed the same paragraphs. Choose a version of each.';
}

function queryOf({ releaseId, edit, isUpdateGone }: ConflictPage): string {
  if (edit === SCHEDULED_TEXT) return isUpdateGone ? '' : `?edit=${SCHEDULED_TEXT}`;
  return releaseId ? `?release=${encodeURIComponent(releaseId)}` : '';
}

interface ResolvedFieldProps {
  of: string;
  name: string;
  label: string;
  value: string;
  data: EditorData;
}

/** The control for the value that a field gets after a conflict. @param props.of the name of the post's field */
export function ResolvedField({ of, name, label, value, data }: ResolvedFieldProps) {
  const t = useWords();
  const shared = { name, label, defaultValue: value };
  const { categories, pages, images } = data.choices;
  const named: Record<string, readonly (readonly [id: string, name: string])[]> = {
    categoryId: categories.map((category) => [category.id, category.name]),
    parentId: pages.map(({ id, title }) => [id, title]),
    coverMediaId: images.map((image) => [image.id, image.name]),
  };
  if (named[of])
    return (
      <Choice {...shared}>
        <option value="">{t('None')}</option>
        <Options of={named[of]} />
      </Choice>
    );
  switch (of) {
    case 'body':
      return <TextArea {...shared} rows={20} className="body-input" />;
    case 'excerpt':
    case 'seoDescription':
      return <TextArea {...shared} rows={3} />;
    case 'publishedAt':
    case 'archiveAt':
      return <TextField {...shared} type="datetime-local" />;
    default:
      return <TextField {...shared} />;
  }
}

/**
 * The paragraphs that differ, each with the original, both versions and a choice. Without scripts a button puts the
 * chosen ones into the result; with scripts each choice does.
 */
function Passages({ text }: { text: ConflictText }) {
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

interface ChangedProps {
  passage: ChangedPassage;
  number: number;
  take: Take | null;
  onTake: (take: Take) => void;
}

/** @param props.take null: nothing can be chosen */
function Changed({ passage, number, take, onTake }: ChangedProps) {
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
