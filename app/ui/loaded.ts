import { createElement, useEffect, useRef, useState, type ComponentType } from 'react';

/**
 * Shows a component whose code is loaded when it is first wanted; nothing until then. Unlike `lazy`, a failure does not
 * take the page away, and the next time the code is loaded again.
 * @param props.shown the component's props; null or false: it is not wanted
 * @param props.onFailed called when the code cannot be loaded, such as offline
 */
export function Loaded<Props extends object>({
  load,
  shown,
  onFailed,
}: {
  load: () => Promise<ComponentType<Props>>;
  shown: NoInfer<Props> | null | false;
  onFailed: () => void;
}) {
  const [component, setComponent] = useState<ComponentType<Props> | null>(null);
  const latest = useRef({ load, onFailed });
  useEffect(() => {
    latest.current = { load, onFailed };
  });
  const isMissing = Boolean(shown) && component === null;
  useEffect(() => {
    if (!isMissing) return;
    let isEnded = false;
    latest.current.load().then(
      (loaded) => {
        if (!isEnded) setComponent(() => loaded);
      },
      () => {
        if (!isEnded) latest.current.onFailed();
      },
    );
    return () => {
      isEnded = true;
    };
  }, [isMissing]);
  return shown && component ? createElement(component, shown) : null;
}
