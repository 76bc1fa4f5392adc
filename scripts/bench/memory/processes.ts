import { readFileSync } from "node:fs";

const KILOBYTES_PER_MEGABYTE = 1024;

/** The content of a file of `/proc`; "" for a process that has ended. */
const readProcess = (path: string) => {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
};

/** Processes that the main thread of `id` started. */
const childrenOf = (id: number) => readProcess(`${id}/task/${id}/children`).split(" ").filter(Boolean).map(Number);

/**
 * Resident memory in megabytes of each Node process of a service. Database processes are excluded. Reads `/proc`, which
 * takes less than a millisecond: a caller that waited for `ps` would delay the clients that it measures.
 */
export function residentMegabytes(root: number): Map<number, number> {
  const own = [root, ...childrenOf(root)].map((id) => ({ id, status: readProcess(`${id}/status`) }));
  return new Map(
    own.flatMap(({ id, status }) => {
      const [, name = "", kilobytes] = /^Name:\s+(.+)[^]+^VmRSS:\s+(\d+)/m.exec(status) ?? [];
      const isOwn = kilobytes !== undefined && (id === root || /node|MainThread/.test(name));
      return isOwn ? [[id, Number(kilobytes) / KILOBYTES_PER_MEGABYTE] as const] : [];
    }),
  );
}

/** Growth of a series in megabytes per minute, by least squares. */
export function slope(samples: readonly { minute: number; megabytes: number }[]): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const meanMinute = mean(samples.map(({ minute }) => minute));
  const meanMegabytes = mean(samples.map(({ megabytes }) => megabytes));
  const spread = samples.reduce((sum, { minute }) => sum + (minute - meanMinute) ** 2, 0);
  if (spread === 0) return 0;
  const shared = samples.reduce(
    (sum, { minute, megabytes }) => sum + (minute - meanMinute) * (megabytes - meanMegabytes),
    0,
  );
  return shared / spread;
}
