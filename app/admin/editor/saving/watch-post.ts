import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { fetchJson, type Current, type PostState } from './requests.ts';
import type { ServerState } from './server-state.ts';
import type { RemoteChange } from './state.ts';

const EVERY_MS = 4_500;

/**
 * Polls the post's state while the page is visible. Reports a version that another page or person has saved, and what the
 * server has done of what this page has sent without an answer.
 * @returns a function that asks at once
 */
export function watchPost(options: {
  /** The address of the post's editor. */
  url: string;
  userId: string;
  server: ServerState;
  /** True while a request of this page runs, or the page is being left. */
  isBusy: () => boolean;
  /** The server has answered, and has the version of this page. */
  onSameVersion: () => void;
  onRemoteChange: (remoteChange: RemoteChange) => void;
  /** Called with the names of the others who have the post open. */
  onPresent: (names: string[]) => void;
  /**
   * Finds out whether the server has done what this page has sent without an answer.
   * @param current null: the post was deleted
   * @returns false when this page has not done it
   */
  takeOwn: (current: Current | null) => boolean;
  onLogin: (isOther: boolean) => void;
  signal: AbortSignal;
}): () => Promise<void> {
  const { url, userId, signal, server } = options;
  /** -1 after the deletion was reported. */
  let reportedVersion = 0;
  let asking: Promise<void> | null = null;
  const isBusy = () => server.isNew || options.isBusy();
  const look = async () => {
    const before = server.version;
    // This page may have saved meanwhile, so an answer may be outdated. The next poll reports.
    const isOutdated = () => signal.aborted || isBusy() || server.version !== before;
    const isLive = server.query === '';
    const state = await fetchJson<PostState>(
      `${url}/state?${isLive ? `opened=${before}&` : ''}present=yes`,
      userId,
    );
    if (state === null || isOutdated()) return;
    if (state === 'login' || state === 'otherAccount') return options.onLogin(state === 'otherAccount');
    if (state === 'gone') {
      if (options.takeOwn(null) || reportedVersion === -1) return;
      reportedVersion = -1;
      return options.onRemoteChange({ by: null, at: null, isDeleted: true });
    }
    options.onPresent(state.present ?? []);
    if (state.version === before || (state.isSameText && server.isAnswered)) {
      server.reportLostPress({ isNotDone: true });
      return options.onSameVersion();
    }
    if (state.version < before || state.version === reportedVersion) return;
    if (!server.isAnswered) {
      const current = currentOf(await fetchJson<EditorData>(url + server.query, userId));
      if (current === null || isOutdated() || options.takeOwn(current)) return;
    }
    reportedVersion = state.version;
    options.onRemoteChange({ by: state.editedBy, at: state.updatedAt, isDeleted: false });
  };
  const ask = async () => {
    if (document.visibilityState !== 'visible' || isBusy()) return;
    asking ??= look().finally(() => (asking = null));
    await asking;
  };
  const timer = setInterval(() => void ask(), EVERY_MS);
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
  return ask;
}

function currentOf(data: EditorData | string | null): Current | null {
  if (data === null || typeof data === 'string' || !data.post) return null;
  const { version, status, updatedAt, change } = data.post;
  const update = change && (change.values ?? { changeAt: '' });
  return { fields: data.values, version, status, update, editedBy: null, updatedAt: String(updatedAt) };
}
