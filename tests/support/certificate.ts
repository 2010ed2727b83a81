import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Makes a self-signed certificate with Debian's openssl: PEM files of it and of its key. */
export function makeCertificate(folder: string, host: string, { days = 2 } = {}) {
  const [certificate, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', String(days)];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key, '-out', certificate],
    { stdio: 'ignore' },
  );
  return { certificate, key };
}
