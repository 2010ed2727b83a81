import type { PageProps } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import type { ShownSubmission } from './pending-submission.tsx';

const names: Record<string, string> = {
  save: 'Save it',
  publish: 'Publish it',
  schedule: 'Schedule it',
  draft: 'Save it as a draft',
  archive: 'Archive it',
  delete: 'Delete it',
  preview: 'Show its preview',
};

/** After the login: the pending submission, ready to be sent again. */
export default function Resume({ data }: PageProps<ShownSubmission>) {
  const t = useWords();
  const value = (fieldName: string) => data.fields.find(([name]) => name === fieldName)?.[1];
  const title = value('title') ?? value('name');
  return (
    <form method="post" action={data.action} className="card">
      <h1>{t('Welcome back')}</h1>
      <p>
        {title
          ? t('Your text for “{title}” is kept here and is not saved yet.', { title })
          : t('Your text is kept here and is not saved yet.')}{' '}
        {data.hadFiles ? t('Files are not kept: choose them again on the page.') : ''}
      </p>
      {data.fields.map(([name, text], index) => (
        <input key={index} type="hidden" name={name} value={text} />
      ))}
      <button className="primary">
        {t('{intent} now', { intent: t(names[value('intent') ?? ''] ?? 'Send it') })}
      </button>
      <p>
        <a href={data.next}>{t('Discard it and continue')}</a>
      </p>
    </form>
  );
}
