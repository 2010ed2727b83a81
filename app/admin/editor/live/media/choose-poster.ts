// Apart from the buttons that send it, since the page listens before it loads the live editor.
/**
 * The event that asks the page to open the library. Its `detail` is a function that takes the chosen picture's address.
 */
export const CHOOSE_POSTER = 'chooseposter';
export type ChoosePoster = CustomEvent<(src: string) => void>;
