import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ActionResult, ViewProps } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import type { load } from './snippets.server.ts';

/** All snippets, to copy, change and delete, and the form for a new one. */
export default function Snippets({ data, result }: ViewProps<typeof load>) {
  const t = useWords();
  const saved = data.deleted ? 'Snippet deleted.' : data.saved;
  return (
    <>
      <div className="page-head">
        <h1>{t('Snippets')}</h1>
      </div>
      <Notices saved={saved} result={result} />
      <p className="hint">
        {t('Markdown that you use again and again. Insert it with / in the editor, or copy it from here.')}
      </p>
      <div className="beside">
        <div className="stack">
          {data.snippets.length === 0 ? <p className="empty">{t('There are none yet.')}</p> : null}
          {data.snippets.map((snippet) => (
            <details key={snippet.id} className="panel" open={result?.values?.id === snippet.id}>
              <summary>
                <bdi>{snippet.name}</bdi>
              </summary>
              <SnippetForm snippet={snippet} result={result} />
            </details>
          ))}
        </div>
        <section className="panel" aria-labelledby="new-snippet">
          <h2 id="new-snippet">{t('New snippet')}</h2>
          <SnippetForm result={result} />
        </section>
      </div>
    </>
  );
}

function SnippetForm({
  snippet,
  result,
}: {
  snippet?: { id: string; name: string; body: string };
  result: ActionResult | undefined;
}) {
  const t = useWords();
  // The fields that were refused, in the form that they came from.
  const refused = (result?.values?.id || undefined) === snippet?.id ? result : undefined;
  const { name = '', body = '' } = { ...snippet, ...refused?.values };
  const error = (field: string) =>
    refused?.errors?.[field] ? (
      <span className="field-error">
        {refused.errors[field].map((message) => t.message(message)).join(' ')}
      </span>
    ) : null;
  return (
    <form method="post" className="stack">
      <PageUserField />
      {snippet ? <input type="hidden" name="id" value={snippet.id} /> : null}
      <label className="field">
        <span>{t('Name')}</span>
        <input name="name" defaultValue={name} required maxLength={100} dir="auto" />
        {error('name')}
      </label>
      <label className="field">
        <span>{t('Text')}</span>
        <textarea name="body" defaultValue={body} required maxLength={20_000} rows={6} dir="auto" />
        {error('body')}
      </label>
      <div className="row">
        <button className={snippet ? 'small' : 'primary'} name="intent" value="save">
          {snippet ? t('Save') : t('Create')}
        </button>
        {snippet ? (
          <button className="small danger" name="intent" value="delete" formNoValidate>
            {t('Delete')}
          </button>
        ) : null}
      </div>
    </form>
  );
}
