import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import {
  addPostsToRelease,
  archivePostInRelease,
  keepChangeInRelease,
} from '#app/publishing/releases/items.server.ts';
import { keepTextsInRelease } from '#app/publishing/releases/texts.server.ts';
import type { TestApp } from './app.ts';
import { createTag, createUser } from './factories.ts';

/** Returns a whole number from 0 to 9. */
export type Next = () => number;

/**
 * Makes posts and pages with some history, and puts changes of all kinds into a release.
 * @param app.clock moves forward, so that events have an order
 * @param input.name the beginning of the addresses
 */
export async function fillRandomRelease(
  app: TestApp,
  input: { releaseId: string; name: string },
  next: Next,
): Promise<void> {
  const { releaseId, name } = input;
  const { id: editorId } = await createUser(app);
  const step = () => app.clock.advance(1_000 * (1 + next()));
  const tag = await createTag(app, { name: `Tag ${next()} of ${name}` });
  for (let index = 0; index < 8; index += 1) {
    const fields = {
      title: `Text ${index} ${next()}`,
      slug: `${name}-${index}`,
      body: `Words ${name} ${'harbour '.repeat(1 + next())}[link](/posts/${name}-${next() % 8})`,
      tags: next() < 5 ? [tag.name] : [],
      excerpt: next() < 5 ? 'In short' : '',
      type: next() < 2 ? ('page' as const) : ('post' as const),
    };
    const isDraft = next() < 3;
    let post = await createPost(app, { intent: isDraft ? 'save' : 'publish', fields, editorId });
    step();
    // Some were changed before, or taken back to draft after they had been public.
    if (next() < 3) {
      const edit = { postId: post.id, version: post.version, editorId };
      post = await editPost(app, { ...edit, intent: 'save', fields: { title: `Again ${index}` } });
      step();
    }
    const change = { postId: post.id, releaseId, version: post.version, editorId };
    if (isDraft) await addPostsToRelease(app, { releaseId, postIds: [post.id], editorId });
    else if (next() < 3) await archivePostInRelease(app, change);
    else if (next() < 8) {
      const fields = {
        ...(next() < 5 && { title: `New ${index}` }),
        ...(next() < 5 && { body: `New *words* ${index}` }),
        ...(next() < 4 && { slug: `new-${name}-${index}` }),
        ...(next() < 4 && { tags: ['Fresh', tag.name] }),
        ...(next() < 4 && { excerpt: 'Shorter' }),
      };
      await keepChangeInRelease(app, { ...change, fields });
    }
  }
  const changes = [
    { kind: 'setting', subjectId: 'site_title', texts: { value: 'Another title' } },
    { kind: 'setting', subjectId: 'posts_per_page', texts: { value: '3' } },
    {
      kind: 'tag',
      subjectId: tag.id,
      texts: { name: 'Renamed', slug: next() < 5 ? `renamed-${name}` : tag.slug },
    },
    { kind: 'author', subjectId: editorId, texts: { displayName: 'Somebody Else', bio: 'New' } },
    { kind: 'redirect', subjectId: `/old/${name}`, texts: { to: `tag ${tag.id}` } },
  ] as const;
  const chosen = changes.filter(() => next() < 7);
  await keepTextsInRelease(app, { releaseId, editorId, wanted: [...chosen], replaces: false });
  step();
}
