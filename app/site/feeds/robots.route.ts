import { renderRobots } from '#app/feeds/robots.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { serveFile } from './serve.server.ts';

export const loader = serveFile('text/plain', async (app) => {
  const { robots_extra, admin_path, site_languages } = await readSettings(app);
  return renderRobots({
    origin: app.env.siteUrl,
    extra: robots_extra,
    adminPath: admin_path,
    languages: site_languages,
  });
});

export const action = readOnly;
