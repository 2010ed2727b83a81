/** An action that can be undone, or the result of undoing one. */
export type UndoOffer = { id: string; summary: string } | { undone: number; kept: number };
