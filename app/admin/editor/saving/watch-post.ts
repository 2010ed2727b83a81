import { fetchJson, type PostState } from './requests.ts';
import type { Elsewhere } from './save-state.ts';

const EVERY_MS = 4_500;

/** Asks for the post's state while the page is visible, and reports when somebody has changed it elsewhere. */
export function watchPost(options: {
  url: string;
  /** False while a request of this page may change the version. */
  isReady: () => boolean;
  version: () => number;
  onElsewhere: (elsewhere: Elsewhere) => void;
  onLogin: () => void;
  signal: AbortSignal;
}): void {
  const { signal } = options;
  let told = 0;
  let asking = false;
  const ask = async () => {
    if (asking || document.visibilityState !== 'visible' || !options.isReady()) return;
    const before = options.version();
    asking = true;
    const state = await fetchJson<PostState>(options.url);
    asking = false;
    // A save of this page may have come in between: the next round looks again.
    if (signal.aborted || state === null || !options.isReady() || options.version() !== before) return;
    if (state === 'login') return options.onLogin();
    if (state === 'gone') {
      if (told !== -1) options.onElsewhere({ by: null, at: null, isDeleted: true });
      told = -1;
    } else if (state.version > before && state.version !== told) {
      told = state.version;
      options.onElsewhere({ by: state.editedBy, at: state.updatedAt, isDeleted: false });
    }
  };
  const timer = setInterval(() => void ask(), EVERY_MS);
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
}
