export const chromiumPlaces: readonly string[];
export function findChromium(): string | undefined;
