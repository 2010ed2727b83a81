import { useEffect, useId, useRef, useState, type InputHTMLAttributes } from 'react';
import { fetchSuggestions, type Suggestion } from '#app/admin/frame/find.ts';

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
