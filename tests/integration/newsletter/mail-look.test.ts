// A mail in the colours and typefaces of the site, with the cover and the names that the page shows.
import { expect, it } from 'vitest';
import { previewMail, readMailPost } from '#app/newsletter/issue-mail.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { palettes } from '#app/settings/appearance/palettes.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createMedia, createPost, createUser } from '#tests/support/factories.ts';

describeWithApp('the mail of a post', (getApp) => {
  it('follows the appearance, and shows cover, authors and day', async () => {
    const app = getApp();
    await changeSettings(app, { preset: 'gazette', accent_color: '#0a5c36', site_title: 'The Harbour' });
    const author = await createUser(app, { displayName: 'Ada Lovelace' });
    const media = await createMedia(app, { alt: 'The quay', width: 3000, height: 1500 });
    const { id } = await createPost(app, {
      ...{ title: 'A quiet morning', status: 'published', publishedAt: new Date('2026-03-01T12:00:00Z') },
      ...{ authorId: author.id, coverMediaId: media.id, coverAlt: 'Ships at dawn' },
    });
    const htmlOf = async (changed = {}) => {
      const post = (await readMailPost(app, id, changed))!;
      const texts = { subject: '', preview: '' };
      return previewMail(app.env.siteUrl, await readSettings(app), post, texts).html;
    };
    const html = await htmlOf();
    const { light, dark } = palettes.newsprint;
    for (const words of [
      ...[light.paper, dark.paper, '#0a5c36', 'Playfair Display', 'The Harbour'],
      ...['Ada Lovelace · March 1, 2026', 'alt="Ships at dawn"', `src="${app.env.siteUrl}/uploads/`],
    ])
      expect(html).toContain(words);
    expect(html).not.toMatch(/@import|@font-face|url\(/);
    const unsaved = await htmlOf({ coverMediaId: null, title: 'Not saved' });
    expect(unsaved).toContain('Not saved');
    expect(unsaved).not.toContain('<img');
  });
});
