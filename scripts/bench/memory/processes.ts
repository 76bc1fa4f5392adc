import { execFileSync } from "node:child_process";

const KILOBYTES_PER_MEGABYTE = 1024;

/** Resident memory in megabytes of each Node process of a service. Database processes are excluded. */
export function residentMegabytes(root: number): Map<number, number> {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,comm="], { encoding: "utf8" }).trim().split("\n");
  const rows = lines.map((line) => {
    const [id, parent, kilobytes, command = ""] = line.trim().split(/\s+/);
    return { id: Number(id), parent: Number(parent), megabytes: Number(kilobytes) / KILOBYTES_PER_MEGABYTE, command };
  });
  const own = rows.filter(
    ({ id, parent, command }) => id === root || (parent === root && /node|MainThread/.test(command)),
  );
  return new Map(own.map(({ id, megabytes }) => [id, megabytes]));
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
