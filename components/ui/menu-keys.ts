/** Index to which a key moves the focus in a menu; `current` is -1 while no item has the focus. */
export function indexFor(key: string, names: readonly string[], current: number): number | undefined {
  const last = names.length - 1;
  if (last < 0) return undefined;
  if (key === "ArrowDown") return current === last ? 0 : current + 1;
  if (key === "ArrowUp") return current <= 0 ? last : current - 1;
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key.length !== 1 || key === " ") return undefined;
  const beginsWith = (index: number) => names[index]?.trim().toLowerCase().startsWith(key.toLowerCase());
  // A repeated letter moves on to the next match.
  return names.map((_name, step) => (current + 1 + step) % names.length).find(beginsWith);
}
