import {
  useEffect,
  useId,
  useRef,
  useState,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { fetchSuggestions, type Suggestion } from '#app/admin/frame/find.ts';
import type { Message } from '#app/platform/message.ts';
import { TextArea, TextField } from '#app/ui/field.tsx';
import { isForInputMethod } from '#app/ui/keys.ts';
import { useScripted } from '#app/ui/scripts.ts';
import { useWords } from '#app/ui/words.ts';

const TYPING_MS = 150;

interface AddressInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  value: string;
  onValue: (value: string) => void;
  findUrl: string;
}

/** A field for an address that offers the posts and pages whose titles have the typed words. */
export function AddressInput({ value, onValue, findUrl, ...input }: AddressInputProps) {
  const id = useId();
  const [found, setFound] = useState<Suggestion[]>([]);
  const asked = useRef<{ timer?: ReturnType<typeof setTimeout>; stopped?: AbortController }>({});
  useEffect(() => {
    const { current } = asked;
    return () => {
      clearTimeout(current.timer);
      current.stopped?.abort();
    };
  }, []);
  const ask = (q: string) => {
    clearTimeout(asked.current.timer);
    asked.current.stopped?.abort();
    const { signal } = (asked.current.stopped = new AbortController());
    asked.current.timer = setTimeout(() => {
      void fetchSuggestions(findUrl, { q, kind: 'link' }, signal).then((answer) => {
        if (!signal.aborted && answer) setFound(answer);
      });
    }, TYPING_MS);
  };
  return (
    <>
      <input
        dir="ltr"
        autoComplete="off"
        {...input}
        list={id}
        value={value}
        onFocus={() => ask(value.startsWith('/') ? '' : value)}
        onChange={({ target }) => {
          onValue(target.value);
          if (!/^\/|:/.test(target.value)) ask(target.value.trim());
        }}
      />
      <datalist id={id}>
        {found.map(({ address, title }) => (
          <option key={address} value={address} label={title} />
        ))}
      </datalist>
    </>
  );
}

interface RichFieldProps {
  name: string;
  label: string;
  help?: string;
  errors: Message[] | undefined;
  value: string;
}

/**
 * A field that scripts make easier. Without scripts it is the plain one, whose text the easier one writes under the same
 * name. While the scripts load, the easier one is already shown, so that nothing moves when they run.
 * @param children the easier field; `isSent`: false while the form sends the plain one
 */
export function Scripted({
  plain,
  children,
}: {
  plain: ReactNode;
  children: (isSent: boolean) => ReactNode;
}) {
  const scripted = useScripted();
  if (scripted) return children(true);
  return (
    <>
      <div className="without-scripts">{plain}</div>
      <div className="with-scripts">{children(false)}</div>
    </>
  );
}

/** A group with its legend, errors and the value that is sent. Disabled until the scripts run. */
function Rows({
  name,
  label,
  hint,
  errors,
  text,
  isSent,
  children,
}: Omit<RichFieldProps, 'value' | 'help'> & {
  hint?: string;
  text: string;
  isSent: boolean;
  children: ReactNode;
}) {
  const t = useWords();
  return (
    <fieldset className="menu-rows" disabled={!isSent} id={isSent ? `field-${name}` : undefined}>
      <legend>{t(label)}</legend>
      {isSent ? <input type="hidden" name={name} value={text} /> : null}
      {children}
      {errors?.length ? (
        <p className="field-error">{errors.map((error) => t.message(error)).join(' ')}</p>
      ) : null}
      {hint ? <p className="field-help">{t(hint)}</p> : null}
    </fieldset>
  );
}

/** One link, stored as `label | address`; or a line of text with or without an address. */
export function LinkField({
  value,
  findUrl,
  hint,
  ...field
}: RichFieldProps & { findUrl: string; hint?: string }) {
  const t = useWords();
  const cut = value.lastIndexOf('|');
  const [words, setWords] = useState((cut < 0 ? value : value.slice(0, cut)).trim());
  const [address, setAddress] = useState(cut < 0 ? '' : value.slice(cut + 1).trim());
  const text = address.trim() === '' ? words.trim() : `${words.trim()} | ${address.trim()}`;
  return (
    <Scripted plain={<TextField {...field} defaultValue={value} />}>
      {(isSent) => (
        <Rows {...field} hint={hint} text={text} isSent={isSent}>
          <div className="link-row">
            <input
              aria-label={t('Link text')}
              placeholder={t('Text')}
              autoFocus={Boolean(field.errors?.length)}
              dir="auto"
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
            <AddressInput
              aria-label={t('Link address')}
              placeholder={t('Address or title of a post')}
              value={address}
              onValue={setAddress}
              findUrl={findUrl}
            />
          </div>
        </Rows>
      )}
    </Scripted>
  );
}

/** An address of the site: a post or page is found by its title. */
export function PostField({
  value,
  findUrl,
  hint,
  ...field
}: RichFieldProps & { findUrl: string; hint?: string }) {
  const t = useWords();
  const [address, setAddress] = useState(value);
  return (
    <Scripted plain={<TextField {...field} defaultValue={value} />}>
      {(isSent) => (
        <Rows {...field} hint={hint} text={address.trim()} isSent={isSent}>
          <AddressInput
            aria-label={t(field.label)}
            placeholder={t('Address or title of a post')}
            autoFocus={Boolean(field.errors?.length)}
            value={address}
            onValue={setAddress}
            findUrl={findUrl}
          />
        </Rows>
      )}
    </Scripted>
  );
}

/** A value that a list offers, with the name by which people look for it. */
export interface Suggested {
  value: string;
  label: string;
}

/** Several values as chips, stored with commas or line feeds between them. */
export function ListField({
  value,
  separator,
  suggested = [],
  placeholder,
  hint,
  ...field
}: RichFieldProps & {
  separator: ',' | '\n';
  suggested?: readonly Suggested[];
  placeholder: string;
  hint?: string;
}) {
  const t = useWords();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(() => partsOf(value, separator));
  const text = [...chosen, ...partsOf(typed, separator)].join(separator === ',' ? ', ' : '\n');
  const listId = `${field.name}-offered`;
  const add = () => {
    setChosen((before) => [...new Set([...before, ...partsOf(typed, separator)])]);
    setTyped('');
  };
  const onKey = (event: KeyboardEvent) => {
    if (isForInputMethod(event.nativeEvent)) return;
    if ((event.key === 'Enter' && typed.trim() !== '') || event.key === ',') add();
    else if (event.key === 'Backspace' && typed === '' && chosen.length > 0) setChosen(chosen.slice(0, -1));
    else return;
    event.preventDefault();
  };
  const plain =
    separator === ',' ? (
      <TextField {...field} defaultValue={value} />
    ) : (
      <TextArea {...field} rows={5} defaultValue={value} />
    );
  const nameOf = (one: string) => suggested.find((offered) => offered.value === one)?.label ?? one;
  return (
    <Scripted plain={plain}>
      {(isSent) => (
        <Rows {...field} hint={hint} text={text} isSent={isSent}>
          <div className="chips">
            {chosen.map((one) => (
              <span key={one} className="chip">
                {nameOf(one)}
                <button
                  type="button"
                  aria-label={t('Remove {label}', { label: nameOf(one) })}
                  // Leaving the field makes a chip of what is typed, which would move this away from its click.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => setChosen(chosen.filter((other) => other !== one))}
                >
                  ×
                </button>
              </span>
            ))}
            <input
              aria-label={t(field.label)}
              autoFocus={Boolean(field.errors?.length)}
              autoComplete="off"
              list={suggested.length > 0 ? listId : undefined}
              placeholder={t(placeholder)}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              onKeyDown={onKey}
              onBlur={add}
            />
          </div>
          {isSent && suggested.length > 0 ? <Offered id={listId} of={suggested} /> : null}
        </Rows>
      )}
    </Scripted>
  );
}

/** The values that a field offers while somebody types their value or name. */
export function Offered({ id, of }: { id: string; of: readonly Suggested[] }) {
  return (
    <datalist id={id}>
      {of.map(({ value, label }) => (
        <option key={value} value={value} label={label === value ? undefined : label} />
      ))}
    </datalist>
  );
}

function partsOf(text: string, separator: ',' | '\n'): string[] {
  const parts = text
    .split(separator === ',' ? /[,\n]/ : /\s*\n\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return [...new Set(parts)];
}
