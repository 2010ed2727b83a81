import { createElement, useEffect, useRef, useState, type ComponentType, lazy, type ReactNode } from 'react';
import { useWords } from './words.ts';

const MESSAGE_MS = 6_000;

/**
 * Shows a component whose code is loaded when it is first wanted; nothing until then. Unlike `lazy`, a failure does not
 * take the page away: a message says it for some seconds, and the next time the code is loaded again.
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
  const t = useWords();
  const [component, setComponent] = useState<ComponentType<Props> | null>(null);
  const [hasFailed, setFailed] = useState(false);
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
        if (isEnded) return;
        setFailed(false);
        setComponent(() => loaded);
      },
      () => {
        if (isEnded) return;
        setFailed(true);
        latest.current.onFailed();
      },
    );
    return () => {
      isEnded = true;
    };
  }, [isMissing]);
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(() => setFailed(false), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [hasFailed]);
  if (shown && component) return createElement(component, shown);
  if (!hasFailed) return null;
  return createElement(
    'p',
    { className: 'notice notice-error load-failed', role: 'alert' },
    t('The server cannot be reached.'),
  );
}

/**
 * Makes the server render `node` in a later turn of the event loop than the rest of the page, which React renders in
 * one turn. In a browser it returns `node`.
 */
export function renderLater(node: ReactNode): ReactNode {
  if (!import.meta.env.SSR) return node;
  const Later = lazy(async () => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    return { default: () => <>{node}</> };
  });
  return <Later />;
}

/** A long list. The server renders at most `size` values of it in one turn of the event loop. */
export function LongList<Value>({
  values,
  size,
  children,
}: {
  values: readonly Value[];
  size: number;
  children: (batch: readonly Value[]) => ReactNode;
}) {
  if (!import.meta.env.SSR || values.length <= size) return <>{children(values)}</>;
  return (
    <>
      {children(values.slice(0, size))}
      {renderLater(
        <LongList values={values.slice(size)} size={size}>
          {children}
        </LongList>,
      )}
    </>
  );
}
