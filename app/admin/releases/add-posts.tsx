import { useState } from 'react';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import { type Message } from '#app/platform/message.ts';
import { useWords } from '#app/ui/words.ts';

interface AddPostsProps {
  choices: readonly { id: string; title: string; status: string }[];
  errors: Message[] | undefined;
}

/** A longer list of posts has a field to filter it, if scripts run. */
const MANY = 8;

/** Unpublished posts to be added to a release. */
export function AddPosts({ choices, errors }: AddPostsProps) {
  const t = useWords();
  const [filter, setFilter] = useState('');
  const isShown = (title: string) => title.toLowerCase().includes(filter.trim().toLowerCase());
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2 id="add-posts">{t('Add posts')}</h2>
      {choices.length > MANY ? (
        <input
          type="search"
          className="with-scripts"
          placeholder={t('Filter by title')}
          aria-label={t('Filter by title')}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      ) : null}
      {choices.length > 0 ? (
        <div className="choices" role="group" aria-labelledby="add-posts">
          {choices.map(({ id, title, status }) => (
            <div key={id} hidden={!isShown(title)}>
              <label className="check">
                <input type="checkbox" name="add" value={id} />
                <span>
                  {title} <span className="hint">{t(status)}</span>
                </span>
              </label>
            </div>
          ))}
        </div>
      ) : (
        <p className="hint">{t('There are no drafts to add.')}</p>
      )}
      {errors ? <p className="field-error">{errors.map((error) => t.message(error)).join(' ')}</p> : null}
      {choices.length > 0 ? (
        <button name="intent" value="save">
          {t('Add')}
        </button>
      ) : null}
      <p className="hint">
        {t('To change a published post with this release, open it and save it to the release.')}
      </p>
    </form>
  );
}
