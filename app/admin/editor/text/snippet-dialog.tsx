import { useEffect, useRef, useState } from 'react';
import { sendForm } from '#app/admin/editor/saving/requests.ts';
import { useWords } from '#app/ui/words.ts';

export interface Snippet {
  id: string;
  name: string;
  body: string;
}

export function SnippetDialog({
  url,
  userId,
  load,
  selected,
  onInsert,
  onSaved,
  onClose,
}: {
  url: string;
  userId: string;
  load: () => Promise<readonly Snippet[]>;
  /** The selected Markdown; blank: nothing is selected. */
  selected: string;
  onInsert: (body: string) => void;
  onSaved: () => void;
  onClose: () => void;
}) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [snippets, setSnippets] = useState<readonly Snippet[]>([]);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    dialog.current?.showModal();
    void load().then(setSnippets);
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const save = async () => {
    const answer = await sendForm(
      url,
      { intent: 'save', name, body: selected },
      { userId, keepalive: false },
    );
    if (answer.kind === 'done') {
      onSaved();
      return dialog.current?.close();
    }
    if (answer.kind === 'wrong') return setProblem(Object.values(answer.errors).join(' '));
    setProblem(answer.kind === 'failed' ? answer.message : 'The server cannot be reached.');
  };
  return (
    <dialog
      ref={dialog}
      className="library snippet-dialog"
      aria-labelledby="snippets-title"
      onClose={onClose}
    >
      <h2 id="snippets-title">{t('Snippets')}</h2>
      {selected.trim() === '' ? (
        <p className="hint">{t('To save a snippet, select its text first.')}</p>
      ) : (
        <div className="row">
          <input
            aria-label={t('Name of the new snippet')}
            placeholder={t('Name')}
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // The form around the dialog is the post's.
              event.preventDefault();
              void save();
            }}
          />
          <button type="button" className="primary" onClick={() => void save()}>
            {t('Save selection')}
          </button>
        </div>
      )}
      {problem ? (
        <p className="field-error" role="alert">
          {t.message(problem)}
        </p>
      ) : null}
      <ul className="snippets">
        {snippets.map((snippet) => (
          <li key={snippet.id}>
            <button
              type="button"
              className="quiet"
              onClick={() => {
                dialog.current?.close();
                onInsert(snippet.body);
              }}
            >
              <bdi>{snippet.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <div className="row">
        <a href={url} target="_blank" rel="noreferrer">
          {t('Manage snippets')}
        </a>
        <button type="button" onClick={() => dialog.current?.close()}>
          {t('Cancel')}
        </button>
      </div>
    </dialog>
  );
}
