import { useEffect, useRef, useState } from 'react';
import { findThings, type Found } from '#app/admin/palette/find.ts';
import { useWords } from '#app/ui/words.ts';

/** The media library's pictures, to choose one from. */
export function LibraryDialog({
  findUrl,
  onChoose,
  onClose,
}: {
  findUrl: string;
  onChoose: (picture: Found) => void;
  onClose: () => void;
}) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [pictures, setPictures] = useState<Found[] | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const stopped = new AbortController();
    const timer = setTimeout(
      async () => {
        const found = await findThings(findUrl, { q: text, kind: 'picture' }, stopped.signal);
        if (!stopped.signal.aborted) setPictures(found);
      },
      text === '' ? 0 : 200,
    );
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [findUrl, text]);
  return (
    <dialog ref={dialog} className="library" aria-labelledby="library-title" onClose={onClose}>
      <h2 id="library-title">{t('Choose a picture')}</h2>
      <input
        type="search"
        aria-label={t('Search the library')}
        placeholder={t('Search by name or description')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {pictures?.length === 0 ? <p className="hint">{t('No picture is called that.')}</p> : null}
      <ul className="library-pictures">
        {(pictures ?? []).map((picture) => (
          <li key={picture.address}>
            <button
              type="button"
              onClick={() => {
                onChoose(picture);
                dialog.current?.close();
              }}
            >
              <img src={picture.address} alt={picture.title || picture.detail} loading="lazy" />
              <span>{picture.detail}</span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => dialog.current?.close()}>
        {t('Cancel')}
      </button>
    </dialog>
  );
}
