import { lazy, type ReactNode } from 'react';

/**
 * `node`, which the server renders in a turn of its event loop after that of what is around it: React renders everything
 * else of a page in one. A browser takes it as it is.
 */
export function later(node: ReactNode): ReactNode {
  if (!import.meta.env.SSR) return node;
  const Later = lazy(async () => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    return { default: () => <>{node}</> };
  });
  return <Later />;
}

/** A long list of which the server renders at most `size` values in one turn of its event loop. */
export function InTurns<Value>({
  values,
  size,
  children,
}: {
  values: readonly Value[];
  size: number;
  children: (some: readonly Value[]) => ReactNode;
}) {
  if (!import.meta.env.SSR || values.length <= size) return <>{children(values)}</>;
  return (
    <>
      {children(values.slice(0, size))}
      {later(
        <InTurns values={values.slice(size)} size={size}>
          {children}
        </InTurns>,
      )}
    </>
  );
}
