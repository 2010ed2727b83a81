import { button } from '#app/admin/editor/live/base/dom.ts';
import type { Words } from '#app/ui/words.ts';
import { CHOOSE_POSTER } from './choose-poster.ts';

/** Buttons that set and remove a video's poster. @param poster its address; empty for none */
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

/** Updates the buttons for a poster. @param poster its address; empty for none */
export function showPoster(box: HTMLElement, t: Words, poster: string): void {
  const [choose, remove] = box.querySelectorAll('button');
  choose!.textContent = t(poster === '' ? 'Choose a poster…' : 'Choose another poster…');
  remove!.hidden = poster === '';
}
