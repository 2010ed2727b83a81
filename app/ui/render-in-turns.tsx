import { lazy, type ReactNode } from 'react';

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
