// The baseline: a Node server that sends the same bytes from memory. argv: port, folder with `<n>.json`
// (path, encoding, headers) and `<n>.body`.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const [port, folder] = process.argv.slice(2);
const answers = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { path: address, encoding, headers } = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
      const body = readFileSync(path.join(folder, name.replace('.json', '.body')));
      return [`${encoding} ${address}`, { headers, body }];
    }),
);
createServer((request, response) => {
  const answer = answers.get(`${request.headers['accept-encoding']} ${request.url}`);
  // The bench asks whether it has started.
  const { headers, body } = answer ?? answers.get('identity /');
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(port), '127.0.0.1');
