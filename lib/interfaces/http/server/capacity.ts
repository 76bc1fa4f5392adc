import { log } from "@/lib/platform/log";
import type { OpenFiles } from "@/lib/platform/open-files";

/** An outage is over when this share of the connections is left and none was refused for this time. */
const CLEAR_SHARE = 0.9;
const CLEAR_MS = 5_000;

export type Capacity = {
  /** Whether another connection may be served besides those that are `open`. */
  hasRoom: (open: number) => boolean;
};

/**
 * Keeps a process below its limit of open files, where the operating system would close connections silently and
 * everything else that needs a file would fail. Each outage is logged when it begins and when it ends.
 */
export function createCapacity(
  files: OpenFiles | undefined,
  onFull: () => void = () => undefined,
  clock: () => number = () => performance.now(),
): Capacity {
  if (!files) return { hasRoom: () => true };
  const { limit, connections } = files;
  let closed = 0;
  let lastClosedAt = 0;
  let fullSince: number | undefined;
  const begin = () => {
    fullSince = clock();
    log.warn({ connections, openFiles: limit }, "new connections are closed: the limit of open files allows no more");
    onFull();
  };
  const end = (since: number) => {
    const seconds = Math.round((clock() - since) / 1000);
    log.warn({ closed, seconds }, "new connections are accepted again");
    [fullSince, closed] = [undefined, 0];
  };
  return {
    hasRoom(open) {
      if (open >= connections) {
        if (fullSince === undefined) begin();
        closed += 1;
        lastClosedAt = clock();
        return false;
      }
      if (fullSince !== undefined && open < connections * CLEAR_SHARE && clock() - lastClosedAt >= CLEAR_MS)
        end(fullSince);
      return true;
    },
  };
}
