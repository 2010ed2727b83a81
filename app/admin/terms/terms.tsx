import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices, UndoNotice } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { PageProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { PictureField } from '#app/admin/media/picture-field.tsx';
import type { FieldErrors } from '#app/platform/errors.ts';
import { fieldOf, TextArea, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { TermsData } from './terms.server.ts';
import { termWords } from './words.ts';

/** All categories, or all tags, with the form for a new one. */
export default function Terms({ data, result, adminContext }: PageProps<TermsData>) {
  const t = useWords();
  const words = termWords[data.kind];
  return (
    <>
      <div className="page-head">
        <h1>{t(words.title)}</h1>
      </div>
      <UndoNotice offer={data.undo} adminPath={adminContext.adminPath} />
      <Notices
        saved={
          data.deleted && !data.undo
            ? words.one === 'tag'
              ? 'The tag is in the trash.'
              : 'The category is in the trash.'
            : null
        }
        result={result}
      />
      <div className="beside">
        {data.terms.length === 0 ? (
          <div className="scroll">
            <p className="empty">{t('There are none yet.')}</p>
          </div>
        ) : (
          <Table
            columns={[t('Name'), t('Slug'), t('Published'), t('Posts')]}
            numbers={[2, 3]}
            className="table"
          >
            {data.terms.map((term) => (
              <tr key={term.id}>
                <th scope="row">
                  <a href={adminUrl(adminContext.adminPath, words.segment, term.id)}>{term.name}</a>
                </th>
                <td>{term.slug}</td>
                <td className="number">{term.published}</td>
                <td className="number">{term.posts}</td>
              </tr>
            ))}
          </Table>
        )}
        <form method="post" className="panel">
          <PageUserField />
          <h2>{words.one === 'tag' ? t('New tag') : t('New category')}</h2>
          <TermFields
            values={result?.values ?? {}}
            errors={result?.errors ?? {}}
            adminPath={adminContext.adminPath}
          />
          <button className="primary" name="intent" value="save">
            {t('Create')}
          </button>
        </form>
      </div>
    </>
  );
}

interface TermFieldsProps {
  values: Record<string, string | undefined>;
  errors: FieldErrors;
  adminPath: string;
}

export function TermFields({ values, errors, adminPath }: TermFieldsProps) {
  const field = fieldOf({ values, errors });
  return (
    <>
      <TextField {...field('name')} label="Name" required maxLength={100} />
      <TextField
        {...field('slug')}
        label="Slug"
        help="Its part of the address. Leave blank to use the name"
      />
      <TextArea {...field('description')} label="Description" rows={3} help="Shown at the top of its page" />
      <PictureField
        {...field('picture')}
        adminPath={adminPath}
        label="Picture"
        help="Address of a picture in the media library, such as /uploads/2026/11/….jpg. Shown at the top of its page and when it is shared."
      />
    </>
  );
}
