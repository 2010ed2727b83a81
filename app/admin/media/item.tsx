import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { acceptedTypes } from '#app/media/encode/formats.ts';
import type { FieldErrors } from '#app/platform/errors.ts';
import { fieldOf, TextArea, TextField } from '#app/ui/field.tsx';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { formatBytes, type MediaCard } from './card.ts';
import type { load } from './item.server.ts';

/** One file: its description and uses, and how to replace or delete it. */
export default function MediaItem({ data, result, adminContext }: ViewProps<typeof load>) {
  const t = useWords();
  const { media, uses } = data;
  const errors = result?.errors ?? {};
  return (
    <>
      <div className="page-head">
        <h1>{media.name}</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, 'media')}>{t('Back to the library')}</a>
        </p>
      </div>
      <Notices saved={data.saved} result={result} />
      <div className="media-item">
        <MediaView media={media} />
        <div className="stack">
          <dl className="facts">
            <dt>{t('Address')}</dt>
            <dd>
              <code>{media.url}</code>
            </dd>
            <dt>{t('Size')}</dt>
            <dd>
              {media.width && media.height
                ? `${t('{width} × {height} pixels', { width: media.width, height: media.height })}, `
                : null}
              {formatBytes(media.bytes)}, {data.mimeType}
            </dd>
            <dt>{t('Uploaded')}</dt>
            <dd>
              <PastTime instant={media.createdAt} {...adminContext} />{' '}
              {data.uploader ? t('by {uploader}', { uploader: data.uploader }) : null}
            </dd>
          </dl>
          {data.mayChange ? (
            <form method="post" className="stack">
              <PageUserField />
              <TextArea
                {...fieldOf(result)('alt', media.alt)}
                label={media.kind === 'image' ? 'Description' : 'Title'}
                rows={3}
                help="What the image shows, for people who can’t see it. Used when you insert the image. Existing posts keep their own text."
              />
              <button className="primary" name="intent" value="save">
                {t('Save')}
              </button>
            </form>
          ) : null}
          <section aria-labelledby="uses" className="stack">
            <h2 id="uses">{uses.length + data.otherUses === 0 ? t('Not used in any post') : t('Used in')}</h2>
            <ul className="stack">
              {uses.map((post) => (
                <li key={post.id}>
                  <a href={adminUrl(adminContext.adminPath, 'posts', post.id)}>{post.title}</a>{' '}
                  <span className={`state state-${post.status}`}>{t(post.status)}</span>
                </li>
              ))}
              {data.otherUses > 0 ? (
                <li>{t('Posts by other people: {otherUses}', { otherUses: data.otherUses })}</li>
              ) : null}
            </ul>
            {data.hasMoreUses ? (
              <p className="hint">{t('More posts use this file than are listed here.')}</p>
            ) : null}
          </section>
          {data.mayReplace ? <Replace uses={uses.length} errors={errors} /> : null}
          {data.mayDelete ? <Delete uses={uses.length} /> : null}
        </div>
      </div>
    </>
  );
}

function MediaView({ media }: { media: MediaCard }) {
  const t = useWords();
  if (media.kind === 'audio')
    return <audio src={media.url} controls preload="metadata" aria-label={media.name} />;
  if (media.kind === 'video')
    return <video src={media.url} controls preload="metadata" aria-label={media.name} />;
  if (media.kind === 'document')
    return (
      <a href={media.url} className="button">
        {t('Download {name}', { name: media.name })}
      </a>
    );
  return (
    <a href={media.url} className="media-large">
      <img
        src={media.url}
        alt={media.alt}
        width={media.width ?? undefined}
        height={media.height ?? undefined}
      />
    </a>
  );
}

function Replace({ uses, errors }: { uses: number; errors: FieldErrors }) {
  const t = useWords();
  return (
    <form method="post" encType="multipart/form-data" className="stack">
      <PageUserField />
      <TextField
        name="file"
        label="Replace the image"
        type="file"
        accept={acceptedTypes}
        required
        errors={errors.file}
        help={uses === 0 ? undefined : 'Posts that show this image show the new one immediately.'}
      />
      <button>{t('Replace')}</button>
    </form>
  );
}

function Delete({ uses }: { uses: number }) {
  const t = useWords();
  if (uses > 0) return <p className="hint">{t('You can move it to the trash once no post uses it.')}</p>;
  return (
    <form method="post">
      <PageUserField />
      <button className="danger" name="intent" value="delete">
        {t('Move to trash')}
      </button>
    </form>
  );
}
