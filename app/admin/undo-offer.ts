/** An action that can be undone, or what undoing one came to. */
export type UndoOffer = { id: string; summary: string } | { undone: number; kept: number };
