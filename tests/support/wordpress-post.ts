import { blogUrl, type WxrItemOptions } from './wxr.ts';

const category = (slug: string, name: string) => ({ domain: 'category', slug, name });
const tag = (slug: string, name: string) => ({ domain: 'post_tag', slug, name });

/** A post with everything that WordPress exports of one. */
export const rich: WxrItemOptions = {
  id: 7,
  title: 'Caf&eacute; &amp; <em>more</em>',
  slug: 'hello-world',
  author: 'ada',
  excerpt: 'Short &amp; <b>sweet</b>',
  content:
    '<!-- wp:paragraph -->\n<p>Hello <strong>there</strong></p>\n<!-- /wp:paragraph -->\n\n<!-- wp:image {"id":9} -->\n<figure class="wp-block-image"><img src="https://old.example/wp-content/uploads/2020/01/cat-300x200.png" alt="Cat"/><figcaption>A cat</figcaption></figure>\n<!-- /wp:image -->\n\n<!-- wp:latest-posts {"a":1} /-->\n\n<!-- wp:shortcode -->\n[contact-form-7 id="5" title="A_b"]\n<!-- /wp:shortcode -->',
  terms: [
    category('news', 'News'),
    category('local', 'Local'),
    category('misc', 'Misc'),
    tag('c-2', 'C++'),
    tag('c', 'C'),
  ],
  meta: { _thumbnail_id: '9', _yoast_wpseo_title: 'S', _yoast_wpseo_metadesc: 'D', _wp_old_slug: 'hello' },
  comments: 3,
};
/** Its featured image. */
export const attachment: WxrItemOptions = {
  id: 9,
  type: 'attachment',
  status: 'inherit',
  attachmentUrl: `${blogUrl}/wp-content/uploads/2020/01/cat.png`,
  meta: { _wp_attachment_image_alt: 'The cat' },
};
/** The blog that it is of. */
export const options = {
  authors: [{ login: 'ada', name: 'Ada Lovelace', email: 'Ada@old.example' }],
  categories: [{ slug: 'news' }, { slug: 'local', parent: 'news' }, { slug: 'misc' }],
};
