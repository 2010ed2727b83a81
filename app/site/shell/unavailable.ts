import { prefersJson } from '#app/platform/http/responses.ts';
import { directionOf, supportedLanguage } from '#app/platform/text/languages.ts';
import { messagesFor } from './messages.ts';

/** Status, headers and body of the answer while the database is down. It reads nothing, so it cannot fail. */
export interface UnavailableAnswer {
  status: 503;
  headers: Record<string, string>;
  body: string;
}

/**
 * The answer to a reader, a feed reader or a script during an outage.
 * @param client the request's path, `Accept-Language` and `Accept`; settings cannot be read now
 * @param retryAfter seconds
 */
export function unavailableAnswer(
  client: {
    path: string;
    language: string | null | undefined;
    accept: string | null | undefined;
  },
  retryAfter: number,
): UnavailableAnswer {
  const [type, body] = textFor(client.path, client.language ?? undefined, prefersJson(client.accept));
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Retry-After': String(retryAfter),
    'Cache-Control': 'no-store',
  };
  return { status: 503, headers, body };
}

function textFor(path: string, language: string | undefined, asJson: boolean): [string, string] {
  const { heading, text } = messagesFor(language).errors.unavailable;
  if (asJson || path.startsWith('/api/'))
    return [
      'application/json',
      JSON.stringify({ data: null, error: { code: 'unavailable', message: text } }),
    ];
  if (/\.(xml|json|txt)$/.test(path)) return ['text/plain', `${text}\n`];
  return ['text/html', page(language, heading, text)];
}

const page = (language: string | undefined, heading: string, text: string) => `<!doctype html>
<html lang="${supportedLanguage(language) ?? 'en'}" dir="${directionOf(supportedLanguage(language) ?? 'en') ?? 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/unavailable.css">
</head>
<body>
<main>
<p aria-hidden="true">503</p>
<h1>${heading}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
