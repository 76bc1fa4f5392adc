/**
 * Maximum datagrams answered per second, by sender and in total. Senders of UDP can be forged, so answers must stay
 * few.
 */
const MAX_BY_SOURCE = 20;
const MAX_IN_ALL = 5_000;

/** Creates a limiter by second. Floods are not answered, and a probe without an answer is no finding. */
export function createSourceLimit(): (source: string, nowMs: number) => boolean {
  let second = 0;
  let total = 0;
  const bySource = new Map<string, number>();
  return (source, nowMs) => {
    const current = Math.floor(nowMs / 1000);
    if (current !== second) {
      second = current;
      total = 0;
      bySource.clear();
    }
    const count = (bySource.get(source) ?? 0) + 1;
    if (count > MAX_BY_SOURCE || total >= MAX_IN_ALL) return false;
    bySource.set(source, count);
    total += 1;
    return true;
  };
}
