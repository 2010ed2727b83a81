import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageLinks } from '#app/admin/frame/page-links.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { UndoNotice } from '#app/admin/frame/undo-notice.tsx';
import { STILL_MESSAGE } from '#app/media/encode/animations.ts';
import { acceptedFiles } from '#app/media/encode/file-formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { load } from './media.server.ts';
import { UploadForm } from './upload-form.tsx';

/** The media library: upload, search, and a grid of all files, newest first. */
export default function MediaLibrary({ data, result, adminContext }: ViewProps<typeof load>) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'media');
  const query = data.q ? { q: data.q } : undefined;
  return (
    <>
      <div className="page-head">
        <h1>{t('Media')}</h1>
      </div>
      <UndoNotice offer={data.undo} adminPath={adminContext.adminPath} />
      {data.stored && !result ? (
        <p className="notice" role="status">
          {data.stored === 1
            ? t('The file is stored.')
            : t('{stored} files are stored.', { stored: data.stored })}
          {data.isStill ? ` ${t(STILL_MESSAGE)}` : null}
        </p>
      ) : null}
      {result?.message && !result.errors?.file ? (
        <p className="notice notice-error" role="alert">
          {t.message(result.message)}
        </p>
      ) : null}
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
            'Images (JPEG, PNG, WebP, GIF, AVIF) of at most {value} MB; audio, video and PDF of at most {floor} MB. Places and other camera data are removed from images.',
            { value: mediaLimits.fileBytes / 1024 / 1024, floor: Math.floor(data.maxBytes / 1024 / 1024) },
          )}
        />
        <TextField name="alt" label="Description" help="For people who can’t see it; you can add it later" />
      </UploadForm>
      <form role="search" className="media-search" action={base}>
        <TextField name="q" label="Search in names and descriptions" type="search" defaultValue={data.q} />
        <button>{t('Search')}</button>
      </form>
      {data.media.length === 0 ? (
        <p className="empty">
          {data.q ? t('Nothing matches “{q}”.', { q: data.q }) : t('No files here yet.')}
        </p>
      ) : null}
      <ul className="media-grid">
        {data.media.map((media) => (
          <li key={media.id}>
            <a href={adminUrl(adminContext.adminPath, 'media', media.id)}>
              {media.kind === 'image' ? (
                <img src={media.thumbnail} alt="" loading="lazy" width={240} height={180} />
              ) : (
                <span className="media-file">{media.url.split('.').at(-1)}</span>
              )}
              <span className="media-name">{media.name}</span>
              <span className={media.alt ? 'hint' : 'hint media-undescribed'}>
                {media.alt || t('No description')}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <PageLinks
        first={!data.isFirstPage && (query ? `${base}?${new URLSearchParams(query)}` : base)}
        next={data.next !== null && `${base}?${new URLSearchParams({ ...query, after: data.next })}`}
      />
    </>
  );
}
