import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTypesenseEngine } from '#app/search/typesense/engine.server.ts';

const server = setupServer(
  http.all('http://search.invalid:8108/*', () =>
    HttpResponse.json(
      { message: 'Forbidden - a valid `x-typesense-api-key` header must be sent.' },
      { status: 401 },
    ),
  ),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

describe('a Typesense that refuses the key', () => {
  it('is told by the name of the variable to look at', async () => {
    const engine = createTypesenseEngine(['http://search.invalid:8108'], 'wrong');
    try {
      await expect(engine.remove(['some-id'])).rejects.toThrow(/SEARCH_API_KEY/);
    } finally {
      await engine.close();
    }
  });
});
