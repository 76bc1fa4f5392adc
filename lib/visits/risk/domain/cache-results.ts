const MAX_RESULTS = 1_000;

/** Caches the results of a pure function of a text, for texts that many visitors share. Results must not be changed. */
export function cacheResults<Result extends object>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = compute(text);
    if (known.size >= MAX_RESULTS) known.clear();
    known.set(text, result);
    return result;
  };
}
