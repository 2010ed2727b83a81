import type { Words } from '#app/ui/words.ts';
import { button } from './dom.ts';

/** Asks the page for a picture of the library; `detail` is called with the address of the one that is chosen. */
export const CHOOSE_POSTER = 'chooseposter';
export type ChoosePoster = CustomEvent<(src: string) => void>;

/** Buttons that give a film the picture that it shows before it is played, and take it away. */
export function posterChoice(t: Words, poster: string, onChange: (poster: string) => void): HTMLElement {
  const box = document.createElement('span');
  box.className = 'md-figure-poster';
  const choose = button('', () =>
    box.dispatchEvent(new CustomEvent(CHOOSE_POSTER, { bubbles: true, detail: onChange })),
  );
  const remove = button(t('Remove the poster'), () => {
    onChange('');
    choose.focus();
  });
  box.append(choose, remove);
  showPoster(box, t, poster);
  return box;
}

/** What the buttons offer of a film with this poster; empty for none. */
export function showPoster(box: HTMLElement, t: Words, poster: string): void {
  const [choose, remove] = box.querySelectorAll('button');
  choose!.textContent = t(poster === '' ? 'Choose a poster…' : 'Choose another poster…');
  remove!.hidden = poster === '';
}
