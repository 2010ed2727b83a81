import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MediaFetcher, type FetchOptions } from '#app/import/media/fetch.server.ts';

/**
 * Serves files on this machine as an old site.
 * @param files by path; what is changed later is served as it is then
 * @param requested gets the path of each request
 */
export async function serveFiles(host: string, files: Record<string, Buffer>, requested: string[] = []) {
  const server = createServer((request, response) => {
    requested.push(request.url!);
    const file = files[request.url!];
    if (file) response.end(file);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    /** Finds the host, and no other one. */
    fetcher: (limits?: FetchOptions['limits']) =>
      new MediaFetcher({
        limits,
        resolve: (name) =>
          name === host
            ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
            : Promise.reject(new Error('ENOTFOUND')),
        isAllowed: (address) => address === '127.0.0.1',
      }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
