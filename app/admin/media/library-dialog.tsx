import { useEffect, useRef, useState } from 'react';
import { fetchSuggestions } from '#app/admin/frame/find.ts';
import { useWords } from '#app/ui/words.ts';
import { CameraButton } from './upload-form.tsx';
import { upload } from './upload.ts';

export interface Picture {
  alt: string;
  src: string;
  name: string;
}

interface LibraryDialogProps {
  findUrl: string;
  mediaUrl: string;
  several: boolean;
  /** `image`: only pictures. `picture`: also films and sounds, which a text shows as players. */
  kind: 'picture' | 'image';
  onChoose: (pictures: Picture[]) => void;
  onClose: () => void;
}

/** A dialog with the files of the media library. People choose one, or several for a gallery. */
export function LibraryDialog({ findUrl, mediaUrl, several, kind, onChoose, onClose }: LibraryDialogProps) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Picture[] | null>(null);
  const [isOutOfReach, setOutOfReach] = useState(false);
  const [chosen, setChosen] = useState<Picture[]>([]);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const stopped = new AbortController();
    const timer = setTimeout(
      async () => {
        const suggestions = await fetchSuggestions(findUrl, { q: text, kind }, stopped.signal);
        if (stopped.signal.aborted) return;
        setOutOfReach(suggestions === null);
        setFound(
          suggestions &&
            suggestions.map(({ title, address, detail }) => ({ alt: title, src: address, name: detail })),
        );
      },
      text === '' ? 0 : 200,
    );
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [findUrl, kind, text]);
  const choose = (picture: Picture) => {
    if (several) return setChosen((before) => toggled(before, picture));
    onChoose([picture]);
    dialog.current?.close();
  };
  const uploads = useUploads(mediaUrl, (picture) =>
    several ? setChosen((before) => [...before, picture]) : choose(picture),
  );
  const libraryPictures = found ?? [];
  const pictures = [
    ...uploads.pictures,
    ...libraryPictures.filter(({ src }) => !uploads.pictures.some((picture) => picture.src === src)),
  ];
  const numberOf = ({ src }: Picture) => chosen.findIndex((picture) => picture.src === src) + 1;
  return (
    <dialog ref={dialog} className="library" aria-labelledby="library-title" onClose={onClose}>
      <h2 id="library-title">{several ? t('Choose the pictures of the gallery') : t('Choose a picture')}</h2>
      <input
        type="search"
        aria-label={t('Search the library')}
        placeholder={t('Search by name or description')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          // A search field that has text handles Esc itself.
          if (event.key === 'Escape') dialog.current?.close();
        }}
      />
      {found?.length === 0 && text !== '' ? <p className="hint">{t('No pictures match.')}</p> : null}
      {isOutOfReach ? (
        <p className="field-error" role="alert">
          {t('The server cannot be reached.')}
        </p>
      ) : null}
      <ul className="library-pictures">
        {pictures.map((picture) => (
          <li key={picture.src}>
            <button
              type="button"
              aria-pressed={several ? numberOf(picture) > 0 : undefined}
              onClick={() => choose(picture)}
            >
              <img src={picture.src} alt={picture.alt || picture.name} loading="lazy" />
              <span>
                {numberOf(picture) > 0 ? `${numberOf(picture)}. ` : null}
                {picture.name}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {uploads.problem ? (
        <p className="field-error" role="alert">
          {t.message(uploads.problem)}
        </p>
      ) : null}
      <div className="row">
        {several ? (
          <button
            type="button"
            className="primary"
            disabled={chosen.length === 0}
            onClick={() => {
              onChoose(chosen);
              dialog.current?.close();
            }}
          >
            {chosen.length === 0
              ? t('Insert')
              : t.count('Insert {count} picture', 'Insert {count} pictures', chosen.length)}
          </button>
        ) : null}
        <label className="button cover-upload">
          {several ? t('Upload pictures') : t('Upload a picture')}
          <input
            type="file"
            accept="image/*"
            multiple={several}
            onChange={({ target }) => {
              void uploads.send([...(target.files ?? [])]);
              target.value = '';
            }}
          />
        </label>
        <CameraButton onTaken={(files) => void uploads.send([...(files ?? [])])} />
        <button type="button" onClick={() => dialog.current?.close()}>
          {t('Cancel')}
        </button>
      </div>
    </dialog>
  );
}

/** Adds a picture to the chosen ones, or removes it if it is among them. */
function toggled(chosen: Picture[], picture: Picture): Picture[] {
  const others = chosen.filter(({ src }) => src !== picture.src);
  return others.length < chosen.length ? others : [...chosen, picture];
}

/** Pictures that are uploaded here, newest first. */
function useUploads(url: string, onStored: (picture: Picture) => void) {
  const [pictures, setPictures] = useState<Picture[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [ended] = useState(() => new AbortController());
  useEffect(() => () => ended.abort(), [ended]);
  const send = async (files: File[]) => {
    setProblem(null);
    for (const file of files)
      try {
        const { path, alt } = await upload(file, url, { signal: ended.signal });
        const picture = { alt, src: path, name: file.name };
        setPictures((before) => [picture, ...before]);
        onStored(picture);
      } catch (error) {
        if (!ended.signal.aborted) setProblem(error instanceof Error ? error.message : 'The upload failed.');
      }
  };
  return { pictures, problem, send };
}
