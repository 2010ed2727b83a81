import type { EditorData } from '../editor-data.server.ts';
import type { FormFields } from './form-fields.ts';
import { fetchJson, type Current, type PostState } from './requests.ts';
import type { RemoteChange } from './save-state.ts';
import type { ServerState } from './server-state.ts';

const EVERY_MS = 4_500;

/** Polls the post's state while the page is visible, and reports a version that another page or person has saved. */
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
  /** The newer version is a save of this page whose answer got lost. */
  onOwnSave: (current: Current, sent: FormFields) => void;
  onLogin: (isOther: boolean) => void;
  signal: AbortSignal;
}): void {
  const { url, userId, signal, server } = options;
  /** -1 after the deletion was reported. */
  let reportedVersion = 0;
  let asking = false;
  const isBusy = () => server.isNew || options.isBusy();
  const look = async () => {
    const before = server.version;
    // This page may have saved meanwhile, so an answer may be outdated. The next poll reports.
    const isOutdated = () => signal.aborted || isBusy() || server.version !== before;
    const state = await fetchJson<PostState>(`${url}/state`, userId);
    if (state === null || isOutdated()) return;
    if (state === 'login' || state === 'otherAccount') return options.onLogin(state === 'otherAccount');
    if (state === 'gone') {
      // A button of this page may have deleted it.
      if (!server.isAnswered || reportedVersion === -1) return;
      reportedVersion = -1;
      return options.onRemoteChange({ by: null, at: null, isDeleted: true });
    }
    if (state.version === before) return options.onSameVersion();
    if (state.version < before || state.version === reportedVersion) return;
    // A newer version may be a save of this page whose answer got lost.
    if (!server.isAnswered) {
      const current = currentOf(await fetchJson<EditorData>(url, userId));
      if (current === null || isOutdated()) return;
      const sent = server.findOwnSave(current);
      if (sent) return options.onOwnSave(current, sent);
    }
    reportedVersion = state.version;
    options.onRemoteChange({ by: state.editedBy, at: state.updatedAt, isDeleted: false });
  };
  const ask = async () => {
    if (asking || document.visibilityState !== 'visible' || isBusy()) return;
    asking = true;
    await look().finally(() => (asking = false));
  };
  const timer = setInterval(() => void ask(), EVERY_MS);
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
}

function currentOf(data: EditorData | string | null): Current | null {
  if (data === null || typeof data === 'string' || !data.post) return null;
  const { version, updatedAt } = data.post;
  return { fields: data.values, version, editedBy: null, updatedAt: String(updatedAt) };
}
