import { useState } from 'react';
import { type Message } from '#app/platform/message.ts';
import { TextArea } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import { AddressInput, Scripted } from './rich-fields.tsx';

interface Row {
  id: number;
  label: string;
  href: string;
  isBelow: boolean;
}

interface MenuFieldProps {
  name: string;
  label: string;
  help?: string;
  errors: Message[] | undefined;
  value: string;
  findUrl: string;
}

/** A field for a menu: rows that can be moved or, without scripts, a text with one entry per line. */
export function MenuField({ value, findUrl, ...field }: MenuFieldProps) {
  const [rows, setRows] = useState(() => rowsOf(value));
  return (
    <Scripted plain={<TextArea {...field} rows={8} defaultValue={value} />}>
      {(isSent) => <MenuRows {...{ ...field, findUrl, rows, setRows, isSent }} />}
    </Scripted>
  );
}

function MenuRows({
  name,
  label,
  help,
  errors,
  findUrl,
  rows,
  setRows,
  isSent,
}: Omit<MenuFieldProps, 'value'> & {
  rows: Row[];
  setRows: (rows: Row[]) => void;
  /** False: the form sends the textarea instead. */
  isSent: boolean;
}) {
  const t = useWords();
  const [dragged, setDragged] = useState<number | null>(null);
  const change = (index: number, part: Partial<Row>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const move = (from: number, to: number) => {
    if (to < 0 || to >= rows.length) return;
    const others = rows.filter((_, at) => at !== from);
    setRows([...others.slice(0, to), rows[from]!, ...others.slice(to)]);
  };
  return (
    // Disabled until the scripts run: the form sends the textarea, so text typed into a row would be lost.
    <fieldset className="menu-rows" disabled={!isSent}>
      <legend>{t(label)}</legend>
      <input type="hidden" name={name} value={textOf(rows)} />
      {errors?.length ? (
        <p className="field-error">{errors.map((error) => t.message(error)).join(' ')}</p>
      ) : null}
      <ol>
        {rows.map((row, index) => (
          <li
            key={row.id}
            className={row.isBelow ? 'menu-row menu-row-below' : 'menu-row'}
            draggable
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== null && move(dragged, index)}
          >
            <input
              aria-label={t('Label {value}', { value: index + 1 })}
              placeholder={t('Label')}
              value={row.label}
              onChange={(event) => change(index, { label: event.target.value })}
            />
            <AddressInput
              aria-label={t('Address {value}', { value: index + 1 })}
              placeholder={t('/address')}
              value={row.href}
              onValue={(href) => change(index, { href })}
              findUrl={findUrl}
            />
            <span className="menu-row-buttons">
              <button
                type="button"
                aria-label={t('Move {label} up', { label: row.label })}
                onClick={() => move(index, index - 1)}
              >
                ↑
              </button>
              <button
                type="button"
                aria-label={t('Move {label} down', { label: row.label })}
                onClick={() => move(index, index + 1)}
              >
                ↓
              </button>
              <button
                type="button"
                aria-pressed={row.isBelow}
                aria-label={t('Nest {label} under the entry above', { label: row.label })}
                disabled={index === 0}
                onClick={() => change(index, { isBelow: !row.isBelow })}
              >
                <span className="arrow">{row.isBelow ? '←' : '→'}</span>
              </button>
              <button
                type="button"
                aria-label={t('Remove {label}', { label: row.label })}
                onClick={() => setRows(rows.filter((_, at) => at !== index))}
              >
                ×
              </button>
            </span>
          </li>
        ))}
      </ol>
      <button
        type="button"
        onClick={() =>
          setRows([
            ...rows,
            { id: Math.max(0, ...rows.map(({ id }) => id)) + 1, label: '', href: '/', isBelow: false },
          ])
        }
      >
        {t('Add entry')}
      </button>
      {help ? (
        <p className="field-help">{t('Drag the rows, or use the arrows. → puts one below another.')}</p>
      ) : null}
    </fieldset>
  );
}

function rowsOf(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, id) => {
      const cut = line.lastIndexOf('|');
      return {
        id,
        label: line.slice(0, Math.max(cut, 0)).trim(),
        href: line.slice(cut + 1).trim(),
        isBelow: /^( {2}|\t)/.test(line),
      };
    });
}

function textOf(rows: Row[]): string {
  return rows
    .filter(({ label, href }) => label.trim() !== '' || (href.trim() !== '' && href.trim() !== '/'))
    .map(
      ({ label, href, isBelow }, index) =>
        `${isBelow && index > 0 ? '  ' : ''}${label.trim()} | ${href.trim()}`,
    )
    .join('\n');
}
