// Parameters in a `DATABASE_URL` of PostgreSQL that `pg` does not take as their authors mean them.

/** The schema that an address names, as Prisma's tools write it. Ignored, two sites would share all rows. */
export function schemaOf(url: string): string {
  const [, schema] = /\?(?:.*&)?schema=([^&]*)/.exec(url) ?? [];
  return schema || 'public';
}

/** The same address. `pg` checks the certificate in these modes too, but warns at each start that it does. */
export function withVerifiedTls(url: string): string {
  if (/[?&]uselibpqcompat=true/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
