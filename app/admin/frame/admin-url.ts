/** The path of a backend screen: `adminUrl('admin', 'posts', id)` is `/admin/posts/<id>`. */
export function adminUrl(adminPath: string, ...segments: string[]): string {
  return `/${[adminPath, ...segments].map(encodeURIComponent).join('/')}`;
}

const AGAIN = 'again';

export function loginUrl(
  adminPath: string,
  options: {
    step?: 'code';
    redirectTo?: string;
    /** The page says that an earlier login has ended. */
    hasEnded?: boolean;
    /** The login is shown although another account is logged in. */
    again?: boolean;
  },
): string {
  const { step, redirectTo, hasEnded, again } = options;
  const address = adminUrl(adminPath, 'login', ...(step ? [step] : []));
  const query = [
    ...(redirectTo === undefined ? [] : [String(new URLSearchParams({ redirectTo }))]),
    ...(hasEnded ? ['ended'] : []),
    ...(again ? [AGAIN] : []),
  ];
  return query.length === 0 ? address : `${address}?${query.join('&')}`;
}

/** True for a step of a login that is shown although another account is logged in. */
export function isAgain({ url }: Request): boolean {
  return new URL(url).searchParams.has(AGAIN);
}
