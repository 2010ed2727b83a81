/** The addresses that are alone on a line of a text: the first 50. */
export function embedCandidates(markdown: string): string[] {
  const addresses = new Set<string>();
  for (const [, address] of markdown.matchAll(/^ {0,3}<?(https:\/\/[^\s<>]{4,490})>?[ \t]*$/gm)) {
    addresses.add(address!);
    if (addresses.size === 50) break;
  }
  return [...addresses];
}
