/** Whether the pages of a route need scripts. The route then exports `handle = { scripts: true }`. */
export function wantsScripts(handle: unknown): boolean {
  return typeof handle === 'object' && handle !== null && 'scripts' in handle && handle.scripts === true;
}
