// Types only: our own additions to Remix’s load context, seen by every loader and action.
import type { AdminAnswer } from '#app/admin/enter-screen.server.ts';
import type { App } from '#app/app.ts';
import type { Metrics } from '#app/operations/metrics.server.ts';
import type { WriteCheck } from '#app/operations/readiness.server.ts';
import type { Place } from '#app/posts/addresses/find-address.server.ts';
import type { PostArticle } from '#app/posts/lists/public-post.ts';
import type { RenderSiteView, ShownAppearance } from '#app/site/shell/site-view.ts';
import type { AllowedParts } from '#app/web/guards/security-headers.ts';

declare module '@remix-run/node' {
  /** What the production server passes to loaders and actions; all of it is absent under `remix-serve`. */
  interface AppLoadContext {
    app?: App;
    cspNonce?: string;
    /** The client's address as the trusted proxies tell it. */
    clientAddress?: string;
    requestId?: string;
    metrics?: Metrics;
    /** The database is known to be down: requests that need it fail at once. */
    databaseDown?: boolean;
    writeCheck?: WriteCheck;
    /** The server is stopping: readiness reports it. */
    stopping?: boolean;
    /** Set when a request fails because of the database: the answer is a 503. */
    outage?: boolean;
    /** Renders public pages within a view of the site (backend, previews, another instant). */
    renderSiteView?: RenderSiteView;
    /** Set within a view of the site: everything that is not public answers 404. */
    isSiteView?: boolean;
    /** Set within a view of the site: shown instead of the published appearance. */
    appearance?: ShownAppearance;
    /** Set within a view of the site: a post that need not be saved, for the preview. */
    shownPost?: PostArticle;
    /** Lets pages of this site show the answer in a frame. */
    allowOwnFrames?: () => void;
    /** Lets the answer show a mail, with its styles. */
    allowMail?: () => void;
    /**
     * Extends the content security policy of a public page: frames of these origins, the script of its copy buttons.
     */
    allow?: (more: AllowedParts) => void;
    /** A file that is stored compressed with gzip may be sent so. */
    takesGzip?: boolean;
    /** Set for a public address whose first part is a setting. */
    place?: Place;
    /** Set once the data of the person at this address has been erased. */
    isErased?: boolean;
    /** Called instead of rendering the 404 page of an address, which the caller has. */
    onMissing?: () => void;
    /** Set by a screen of the backend: the content of this answer, whatever its address. */
    admin?: AdminAnswer;
    /** The language in which a person who is logged in reads the backend, for its error pages. */
    ownLanguage?: string;
    /** The language of the backend's texts for this request: that of the person or of the site. */
    backendLanguage?: string;
  }
}
