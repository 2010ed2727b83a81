import { useEffect, useRef, useState, type ComponentType } from 'react';

/**
 * A component whose code is loaded when it is first wanted; null until then. Unlike `lazy`, a failure does not take the
 * page away, and the next time the code is loaded again.
 * @param onFailed called when the code cannot be loaded, such as offline
 */
export function useLoaded<Props>(
  isWanted: boolean,
  load: () => Promise<ComponentType<Props>>,
  onFailed: () => void,
): ComponentType<Props> | null {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  const latest = useRef({ load, onFailed });
  useEffect(() => {
    latest.current = { load, onFailed };
  });
  const isMissing = isWanted && Loaded === null;
  useEffect(() => {
    if (!isMissing) return;
    let isEnded = false;
    latest.current.load().then(
      (component) => {
        if (!isEnded) setLoaded(() => component);
      },
      () => {
        if (!isEnded) latest.current.onFailed();
      },
    );
    return () => {
      isEnded = true;
    };
  }, [isMissing]);
  return isWanted ? Loaded : null;
}
