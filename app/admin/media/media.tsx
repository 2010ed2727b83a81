import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { ChooseAll, LiveList } from '#app/admin/frame/live-list.tsx';
import { listAddress, PageLinks } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Notices, UndoNotice } from '#app/admin/frame/notices.tsx';
import { STILL_MESSAGE, acceptedFiles, mediaKinds, type MediaKind } from '#app/media/encode/formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { about, type Message } from '#app/platform/message.ts';
import { dateFormat } from '#app/platform/time/format.ts';
import { Options, TextField } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { act, load } from './media.server.ts';
import { UploadForm } from './upload-form.tsx';

/** The media library: upload, search, and a grid of all files, newest first. */
export default function MediaLibrary({ data, result, adminContext }: ViewProps<typeof load, typeof act>) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'media');
  return (
    <>
      <div className="page-head">
        <h1>{t('Media')}</h1>
      </div>
      <Refused refused={result?.refused} />
      <UndoNotice offer={result?.undo ?? data.undo} adminPath={adminContext.adminPath} />
      {data.stored && !result ? (
        <p className="notice" role="status">
          {data.stored === 1 ? t('File uploaded.') : t('{stored} files uploaded.', { stored: data.stored })}
          {data.isStill ? ` ${t(STILL_MESSAGE)}` : null}
        </p>
      ) : null}
      {result?.errors?.file ? null : <Notices result={result} />}
      <UploadForm action={base} errors={result?.errors?.file}>
        <TextField
          name="file"
          label="Upload files"
          type="file"
          multiple
          required
          accept={acceptedFiles}
          errors={result?.errors?.file}
          help={t(
            'Images (JPEG, PNG, WebP, GIF, AVIF) up to {value} MB; audio, video and PDF up to {floor} MB. Location and other camera data are removed from images.',
            { value: mediaLimits.fileBytes / 1024 / 1024, floor: Math.floor(data.maxBytes / 1024 / 1024) },
          )}
        />
        <TextField
          name="alt"
          label="Description"
          help="For people who can’t see the image. You can add it later."
        />
      </UploadForm>
      <LiveList filters={<Filters data={data} base={base} language={adminContext.language} />} keys={[]}>
        <Files data={data} adminContext={adminContext} />
      </LiveList>
    </>
  );
}

type Props = Pick<ViewProps<typeof load>, 'data' | 'adminContext'>;

const kindNames: Record<MediaKind, string> = {
  image: 'Images',
  video: 'Videos',
  audio: 'Audio',
  document: 'Documents',
};

/** The filters: a GET form, so that a filtered library has an address. */
function Filters({ data, base, language }: { data: Props['data']; base: string; language: string }) {
  const t = useWords();
  const { query, months } = data;
  const monthName = dateFormat(language, 'UTC', { month: 'long', year: 'numeric' });
  return (
    <form method="get" action={base} className="filters" role="search" aria-label={t('Filter files')}>
      <input
        type="search"
        name="q"
        aria-label={t('Search names and descriptions')}
        placeholder={t('Search names and descriptions')}
        defaultValue={query.q}
      />
      <div className="filters-more">
        <select name="kind" aria-label={t('Type')} defaultValue={query.kind ?? ''}>
          <option value="">{t('All types')}</option>
          <Options of={mediaKinds.map((kind) => [kind, t(kindNames[kind])])} />
        </select>
        <select name="month" aria-label={t('Uploaded')} defaultValue={query.month ?? ''}>
          <option value="">{t('Any time')}</option>
          <Options of={months.map((month) => [month, monthName.format(new Date(`${month}-01T00:00Z`))])} />
        </select>
        <select name="use" aria-label={t('Use')} defaultValue={query.use ?? ''}>
          <option value="">{t('Used and unused')}</option>
          <option value="used">{t('Used in a post')}</option>
          <option value="unused">{t('Not used in any post')}</option>
        </select>
        <button>{t('Filter')}</button>
        <a className="filters-clear" href={base}>
          {t('Clear')}
        </a>
      </div>
    </form>
  );
}

/** The grid, with what one does with chosen files. */
function Files({ data, adminContext }: Props) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'media');
  const { media, next } = data;
  const found = t.count('{count} file', '{count} files', media.length);
  return (
    <>
      {media.length === 0 ? (
        <p className="empty" data-found>
          {Object.values(data.query).some(Boolean) || !data.isFirstPage
            ? t('No matching files.')
            : t('No files yet.')}
        </p>
      ) : (
        <p className="sr-only" data-found>
          {next === null ? found : t('{files}, and more on the next page', { files: found })}
        </p>
      )}
      <form method="post" action={base} className="bulk">
        <PageUserField />
        <div className="bulk-bar" hidden={!media.some(({ mayTrash }) => mayTrash)}>
          <ChooseAll />
          <button name="intent" value="delete">
            <Icon name="trash" /> {t('Move to trash')}
          </button>
        </div>
        <ul className="media-grid">
          {media.map((file) => (
            <li key={file.id} data-row>
              <a href={adminUrl(adminContext.adminPath, 'media', file.id)} data-open>
                {file.kind === 'image' ? (
                  <img src={file.thumbnail} alt="" loading="lazy" width={240} height={180} />
                ) : (
                  <span className="media-file">{file.url.split('.').at(-1)}</span>
                )}
                <span className="media-name">{file.name}</span>
                <span className={file.alt ? 'hint' : 'hint media-undescribed'}>
                  {file.alt || t('No description')}
                </span>
                <span className="hint">
                  <PastTime instant={file.createdAt} {...adminContext} />
                </span>
              </a>
              {file.mayTrash ? (
                <label className="pick">
                  <input type="checkbox" name="ids" value={file.id} />
                  <span className="sr-only">{t('Select “{title}”', { title: file.name })}</span>
                </label>
              ) : null}
            </li>
          ))}
        </ul>
      </form>
      <PageLinks
        first={!data.isFirstPage && listAddress(base, data.query)}
        next={next !== null && listAddress(base, data.query, { after: next })}
      />
    </>
  );
}

function Refused({ refused }: { refused: { name: string; message: Message }[] | undefined }) {
  const t = useWords();
  if (!refused || refused.length === 0) return null;
  return (
    <div className="notice notice-error" role="alert">
      <p>{t('Some files were not moved:')}</p>
      <ul>
        {refused.map(({ name, message }) => (
          <li key={name}>{t.message(about(name, message))}</li>
        ))}
      </ul>
    </div>
  );
}
