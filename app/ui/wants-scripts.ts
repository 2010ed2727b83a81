/** Whether a route's pages need scripts: it says so with `handle = { scripts: true }`. */
export function wantsScripts(handle: unknown): boolean {
  return typeof handle === 'object' && handle !== null && 'scripts' in handle && handle.scripts === true;
}
