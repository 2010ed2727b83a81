import { Readable } from 'node:stream';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { headersOfFile } from '#app/media/encode/formats.ts';
import { answerMedia } from '#app/media/library/answer.server.ts';
import { isTrashedFile } from '#app/media/library/queries.server.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { uploadPolicy } from '#app/web/guards/security-headers.ts';

/**
 * Uploaded files in views of the site (previews, `/site` of the backend), under `remix-serve` and `npm run dev`. The
 * production server serves all others before Remix.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs): Promise<Response> {
  const app = await appOf(context);
  const file = params['*'] ?? '';
  const described = headersOfFile(file);
  if (!described || (await isTrashedFile(app, file))) return notFound();
  const headers = Object.fromEntries(request.headers);
  const answer = await answerMedia(app.mediaStore, { method: request.method, path: file, headers });
  if (!answer) return notFound();
  return new Response(answer.body && (Readable.toWeb(answer.body) as ReadableStream), {
    status: answer.status,
    headers: {
      ...answer.headers,
      ...described,
      'Content-Security-Policy': uploadPolicy,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

export const action = readOnly;

const notFound = () =>
  new Response('Not found.\n', { status: 404, headers: { 'Content-Type': 'text/plain' } });
