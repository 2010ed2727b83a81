import { fetchJson, type PostState } from './requests.ts';
import type { RemoteChange } from './save-state.ts';
import type { ServerState } from './server-state.ts';

const EVERY_MS = 4_500;

/** Polls the post's state while the page is visible, and reports a version that another page or person has saved. */
export function watchPost(options: {
  url: string;
  userId: string;
  server: ServerState;
  /** True while a request of this page runs, or the page is being left. */
  isBusy: () => boolean;
  /** The server has answered, and has the version of this page. */
  onSameVersion: () => void;
  onRemoteChange: (remoteChange: RemoteChange) => void;
  onLogin: (isOther: boolean) => void;
  signal: AbortSignal;
}): void {
  const { signal, server } = options;
  /** -1 after the deletion was reported. */
  let reportedVersion = 0;
  let asking = false;
  const isBusy = () => server.isNew || options.isBusy();
  const ask = async () => {
    if (asking || document.visibilityState !== 'visible' || isBusy()) return;
    const before = server.version;
    asking = true;
    const state = await fetchJson<PostState>(options.url, options.userId);
    asking = false;
    // This page may have saved meanwhile, so the answer may be outdated. The next poll reports.
    if (signal.aborted || state === null || isBusy() || server.version !== before) return;
    if (state === 'login' || state === 'otherAccount') return options.onLogin(state === 'otherAccount');
    if (state !== 'gone' && state.version === before) return options.onSameVersion();
    // A newer version may be a save of this page whose answer got lost.
    if (!server.isAnswered) return;
    if (state === 'gone') {
      if (reportedVersion !== -1) options.onRemoteChange({ by: null, at: null, isDeleted: true });
      reportedVersion = -1;
    } else if (state.version > before && state.version !== reportedVersion) {
      reportedVersion = state.version;
      options.onRemoteChange({ by: state.editedBy, at: state.updatedAt, isDeleted: false });
    }
  };
  const timer = setInterval(() => void ask(), EVERY_MS);
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
}
