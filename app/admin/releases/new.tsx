import { Crumbs } from '#app/admin/frame/crumbs.tsx';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import { ReleaseFields } from './fields.tsx';
import type { act, load } from './new.server.ts';

/** The form of a new release. */
export default function NewRelease({ result, adminContext }: ViewProps<typeof load, typeof act>) {
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
