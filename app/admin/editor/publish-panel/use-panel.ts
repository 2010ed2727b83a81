import { useState, type ComponentType } from 'react';
import { fetchJson, type PostState } from '#app/admin/editor/saving/requests.ts';
import type { LostPress } from '#app/admin/editor/saving/state.ts';
import type { PublishIntent, PublishPanelProps } from './fields.tsx';

/**
 * The publish panel; null while it is closed. Its code is loaded when it is first opened.
 * @param postUrl the address of the post's editor
 */
export function usePublishPanel(
  postUrl: string,
  userId: string,
): {
  Panel: ComponentType<PublishPanelProps> | null;
  intent: PublishIntent;
  open: (intent: PublishIntent) => void;
  close: () => void;
  /** The button whose panel could not be opened. */
  failed: LostPress | null;
} {
  const [failed, setFailed] = useState<LostPress | null>(null);
  const [shown, setShown] = useState<{
    Panel: ComponentType<PublishPanelProps>;
    intent: PublishIntent;
  } | null>(null);
  // The panel asks when to publish. Without it, the page does that needs no scripts.
  const openPage = async (intent: PublishIntent) => {
    const state = await fetchJson<PostState>(`${postUrl}/state`, userId);
    if (state !== null && typeof state !== 'string') window.location.assign(`${postUrl}/publish`);
    else setFailed({ intent, isNotDone: true });
  };
  return {
    Panel: shown?.Panel ?? null,
    intent: shown?.intent ?? 'publish',
    open: (intent) => {
      import('./panel.tsx').then(
        ({ PublishPanel: Panel }) => {
          setFailed(null);
          setShown({ Panel, intent });
        },
        () => void openPage(intent),
      );
    },
    close: () => setShown(null),
    failed,
  };
}
