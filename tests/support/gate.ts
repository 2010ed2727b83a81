/** Holds something back until a test calls `open`. */
export interface Gate {
  passed: Promise<void>;
  open: () => void;
}

export function closedGate(): Gate {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}
