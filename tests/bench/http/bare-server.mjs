// The baseline: a Node server that sends the same bytes from memory. argv: port, folder with `<n>.json`
// (path, headers) and `<n>.body`.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const [port, folder] = process.argv.slice(2);
const answers = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { path: address, headers } = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
      return [address, { headers, body: readFileSync(path.join(folder, name.replace('.json', '.body'))) }];
    }),
);
createServer((request, response) => {
  const { headers, body } = answers.get(request.url);
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(port), '127.0.0.1');
