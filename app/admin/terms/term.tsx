import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { PageProps } from '#app/admin/frame/screen.ts';
import { ReleaseSelect } from '#app/admin/releases/select.tsx';
import type { FieldErrors } from '#app/platform/errors.ts';
import { Choice, NamedOptions } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import { TermFields } from './terms.tsx';
import type { TermData } from './terms.server.ts';
import { termWords } from './words.ts';

export default function Term({ data, result, adminContext }: PageProps<TermData>) {
  const t = useWords();
  const { kind, term } = data;
  const words = termWords[kind];
  const errors = result?.errors ?? {};
  return (
    <>
      <div className="page-head">
        <h1>{term.name}</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, words.segment)}>
            {t('All {title}', { title: t(words.title) })}
          </a>
          {term.published > 0 ? (
            <>
              {' · '}
              <a href={`/${words.publicPath}/${encodeURIComponent(term.slug)}`}>{t('View on the site')}</a>
            </>
          ) : null}
        </p>
      </div>
      <Notices saved={data.saved} result={result} />
      <div className="beside">
        <form method="post" className="panel">
          <PageUserField />
          <TermFields
            values={{ ...data.form, ...result?.values }}
            errors={errors}
            adminPath={adminContext.adminPath}
          />
          <p className="hint">{t('After a change of the slug, the old address redirects to the new one.')}</p>
          <ReleaseSelect
            releases={data.releases}
            values={result?.values}
            errors={errors.releaseId}
            adminContext={adminContext}
          />
          <button className="primary" name="intent" value="save">
            {t('Save')}
          </button>
        </form>
        <div className="stack">
          {kind === 'tag' && data.others.length > 0 ? <Merge data={data} errors={errors} /> : null}
          <Delete data={data} errors={errors} />
        </div>
      </div>
    </>
  );
}

function Merge({ data, errors }: { data: TermData; errors: FieldErrors }) {
  const t = useWords();
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2>{t('Merge into another tag')}</h2>
      <Choice
        name="intoId"
        label="The tag that stays"
        required
        defaultValue=""
        errors={errors.intoId}
        help={t.count(
          '{count} post will have that tag instead, and links to this one will lead there.',
          '{count} posts get that tag instead, and links to this one redirect there.',
          data.term.posts,
        )}
      >
        <option value="">{t('Choose…')}</option>
        <NamedOptions of={data.others} />
      </Choice>
      <button name="intent" value="merge">
        {t('Merge')}
      </button>
    </form>
  );
}

function Delete({ data, errors }: { data: TermData; errors: FieldErrors }) {
  const t = useWords();
  const { kind, term, others } = data;
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2>{t('Move to trash')}</h2>
      {kind === 'category' && term.posts > 0 && others.length > 0 ? (
        <Choice
          name="heirId"
          label={t.count('{count} post will go to', '{count} posts will go to', term.posts)}
          defaultValue=""
          errors={errors.heirId}
          help="Links to this category redirect to the one that you choose."
        >
          <option value="">{t('No category')}</option>
          <NamedOptions of={others} />
        </Choice>
      ) : (
        <p className="hint">
          {term.posts === 0
            ? t('No posts use it.')
            : t.count(
                '{count} post will stay without it.',
                '{count} posts will stay without it.',
                term.posts,
              )}
        </p>
      )}
      <button className="danger" name="intent" value="delete">
        {t('Move to trash')}
      </button>
    </form>
  );
}
