/** The path of a backend screen: `adminUrl('admin', 'posts', id)` is `/admin/posts/<id>`. */
export function adminUrl(adminPath: string, ...segments: string[]): string {
  return `/${[adminPath, ...segments].map(encodeURIComponent).join('/')}`;
}
