/** Groups values by their keys. Keys and values keep the order of the values. */
export function groupBy<Value, Key>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const lists = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const list = lists.get(key);
    if (list) list.push(value);
    else lists.set(key, [value]);
  }
  return lists;
}
