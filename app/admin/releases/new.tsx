import { Notices } from '#app/admin/frame/notices.tsx';
import { Crumbs } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps, AdminContext } from '#app/admin/frame/screen.ts';
import type { FieldErrors } from '#app/platform/errors.ts';
import { fieldOf, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { newReleaseScreen } from './releases.server.ts';

export default function NewRelease({
  result,
  adminContext,
}: ViewProps<typeof newReleaseScreen.load, typeof newReleaseScreen.act>) {
  const t = useWords();
  return (
    <>
      <Crumbs
        adminContext={adminContext}
        trail={[{ label: 'Releases', segments: ['releases'] }]}
        current={t('New release')}
      />
      <div className="page-head">
        <h1>{t('New release')}</h1>
      </div>
      <Notices result={result} />
      <form method="post" className="panel release-form">
        <PageUserField />
        <ReleaseFields
          values={result?.values ?? {}}
          errors={result?.errors ?? {}}
          adminContext={adminContext}
        />
        <div className="row">
          <button className="primary" name="intent" value="save">
            {t('Create')}
          </button>
          <button name="intent" value="schedule">
            {t('Create and schedule')}
          </button>
        </div>
      </form>
    </>
  );
}

interface ReleaseFieldsProps {
  values: Readonly<Record<string, string>>;
  errors: FieldErrors;
  adminContext: Pick<AdminContext, 'timeZone'>;
}

export function ReleaseFields({ values, errors, adminContext }: ReleaseFieldsProps) {
  const t = useWords();
  const field = fieldOf({ values, errors });
  return (
    <>
      <TextField {...field('name')} label="Name" required maxLength={120} autoComplete="off" />
      <TextField
        {...field('publishAt')}
        label="Publication time"
        type="datetime-local"
        help={t('{timeZone} time', { timeZone: adminContext.timeZone })}
      />
    </>
  );
}
