import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { imageFormats } from '#app/media/image-formats.ts';
import { uploadPolicy } from '#app/web-server/security-headers.ts';

/**
 * Uploaded files where our own server, which serves them before Remix, is not there: under stock
 * `remix-serve` and `npm run dev`.
 */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  const { env } = await appOf(context);
  const segments = (params['*'] ?? '').split('/');
  const extension = path.extname(segments.at(-1)!).slice(1);
  const format = Object.values(imageFormats).find((known) => known.extension === extension);
  // A dot name is `..` or something that is never served.
  const servable = segments.every((segment) => segment !== '' && !/^\.|[\\\0]/.test(segment));
  if (!format || !servable) return notFound();
  const file = path.join(env.uploadsDir, ...segments);
  const facts = await stat(file).catch(() => undefined);
  if (!facts?.isFile()) return notFound();
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream;
  return new Response(body, {
    headers: {
      'Content-Type': format.mimeType,
      'Content-Length': String(facts.size),
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': uploadPolicy,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

const notFound = () =>
  new Response('Not found.\n', { status: 404, headers: { 'Content-Type': 'text/plain' } });
