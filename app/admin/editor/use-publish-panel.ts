import { useState, type ComponentType, type RefObject } from 'react';
import type { PublishPanelProps } from './publish-panel/publish-panel.tsx';

/** The two ways in which a post is published. */
export type PublishIntent = 'publish' | 'schedule';

/** The publish panel; null while it is closed. Its code is loaded when it is first opened. */
export function usePublishPanel(form: RefObject<HTMLFormElement | null>): {
  Panel: ComponentType<PublishPanelProps> | null;
  intent: PublishIntent;
  open: (intent: PublishIntent, button: HTMLButtonElement) => void;
  close: () => void;
} {
  const [shown, setShown] = useState<{
    Panel: ComponentType<PublishPanelProps>;
    intent: PublishIntent;
  } | null>(null);
  return {
    Panel: shown?.Panel ?? null,
    intent: shown?.intent ?? 'publish',
    open: (intent, button) => {
      import('./publish-panel/publish-panel.tsx').then(
        ({ PublishPanel: Panel }) => setShown({ Panel, intent }),
        // Without the panel the button submits the form; offline, the page reports the failure.
        () => form.current?.requestSubmit(button),
      );
    },
    close: () => setShown(null),
  };
}
