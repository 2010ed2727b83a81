import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, WidgetType, type ViewUpdate } from '@codemirror/view';
import { element } from '#app/admin/editor/live/base/dom.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { fetchSuggestions, type Suggestion } from '#app/admin/frame/find.ts';
import { embedCandidates } from '#app/posts/markdown/embed-candidates.ts';

/** Pause after the last change of the text before the server is asked. */
const PAUSE_MS = 2_000;
/** Requests for each address: the server fetches a title and picture only after a save, which takes a while. */
const TRIES = 4;

const addEmbeds = StateEffect.define<ReadonlyMap<string, Suggestion>>();

/** The titles and pictures of addresses that are alone on a line, by address. */
export const knownEmbeds = StateField.define<ReadonlyMap<string, Suggestion>>({
  create: () => new Map(),
  update(embeds, { effects }) {
    for (const effect of effects) if (effect.is(addEmbeds)) embeds = new Map([...embeds, ...effect.value]);
    return embeds;
  },
});

/**
 * Asks the server for the titles and pictures of the addresses in a text.
 * @param findUrl the route of `fetchSuggestions`
 */
export function liveEmbeds(findUrl: string): Extension {
  return [
    knownEmbeds,
    ViewPlugin.define((view) => {
      const tries = new Map<string, number>();
      let timer = setTimeout(() => void ask(), 0);
      const ask = async () => {
        const embeds = view.state.field(knownEmbeds);
        const missing = embedCandidates(view.state.doc.toString()).filter(
          (address) => !embeds.has(address) && (tries.get(address) ?? 0) < TRIES,
        );
        if (missing.length === 0) return;
        const descriptions = new Map<string, Suggestion>();
        for (const address of missing) {
          tries.set(address, (tries.get(address) ?? 0) + 1);
          const answer = await fetchSuggestions(findUrl, { q: address, kind: 'embed' });
          if (answer?.[0]) descriptions.set(address, answer[0]);
        }
        if (descriptions.size > 0 && view.dom.isConnected)
          view.dispatch({ effects: addEmbeds.of(descriptions) });
        if (descriptions.size < missing.length) askLater();
      };
      const askLater = () => {
        clearTimeout(timer);
        timer = setTimeout(() => void ask(), PAUSE_MS);
      };
      return {
        update: ({ docChanged }: ViewUpdate) => docChanged && askLater(),
        destroy: () => clearTimeout(timer),
      };
    }),
  ];
}

/** A film, map or post as readers see it before they start it. A click shows the Markdown. */
export class EmbedWidget extends WidgetType {
  constructor(readonly embed: Suggestion) {
    super();
  }

  override eq(other: EmbedWidget): boolean {
    return other.embed === this.embed;
  }

  toDOM(view: EditorView): HTMLElement {
    const { title, address: picture, detail: provider } = this.embed;
    const [name, source] = [element('strong', {}, title), element('span', {}, provider)];
    const box = element('div', { class: 'md-embed' }, name, source);
    box.title = wordsOf(view)('Click to edit the Markdown');
    if (picture) {
      const image = element('img', { src: picture, alt: '' });
      image.onload = () => view.requestMeasure();
      box.prepend(image);
    }
    box.onmousedown = (event) => {
      event.preventDefault();
      view.dispatch({ selection: { anchor: view.posAtDOM(box) } });
      view.focus();
    };
    return box;
  }

  override get estimatedHeight(): number {
    return this.embed.address ? 240 : 64;
  }
}
