import { Choice, TextArea, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './props.ts';

/** The type (post or page) and a page's parent. */
export function PageFields({ data, field }: PanelProps) {
  const t = useWords();
  const { pages } = data.choices;
  return (
    <>
      <Choice {...field('type')} label="Type">
        <option value="post">{t('Post')}</option>
        <option value="page">{t('Page: at its own address, in no list')}</option>
      </Choice>
      <Choice {...field('parentId')} label="Parent page" help="For pages only">
        <option value="">{t('None')}</option>
        {pages
          .filter(({ id }) => id !== data.post?.id)
          .map(({ id, title, slug }) => (
            <option key={id} value={id}>
              {`${'\u2003'.repeat(slug.split('/').length - 2)}${title}`}
            </option>
          ))}
      </Choice>
    </>
  );
}

/** The authors, the language, and the post that this one translates. */
export function AuthorshipFields({ data, field }: PanelProps) {
  const t = useWords();
  const { accounts, languages } = data.choices;
  return (
    <>
      <TextArea
        {...field('authors')}
        label="Authors"
        rows={3}
        help={t('One per line, in order: a username or a guest’s name. Leave blank for {value}', {
          value: data.post?.author ?? t('yourself'),
        })}
      />
      {accounts.length > 1 ? (
        <p className="hint">
          {t('Usernames: {accounts}', { accounts: accounts.map(({ username }) => username).join(', ') })}
        </p>
      ) : null}
      <TextField
        {...field('language')}
        label="Language"
        list="known-languages"
        autoComplete="off"
        help="A tag such as de. Leave blank for the site’s language"
      />
      <datalist id="known-languages">
        {languages.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      <TextField
        {...field('translationOf')}
        label="Translation of"
        autoComplete="off"
        help="Address or id of the post that this one translates"
      />
    </>
  );
}
