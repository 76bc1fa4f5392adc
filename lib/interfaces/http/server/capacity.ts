import { log } from "@/lib/platform/log";
import type { OpenFiles } from "@/lib/platform/open-files";

/** Share of the connections that must have closed before a new outage is reported. */
const CLEAR_SHARE = 0.9;

export type Capacity = {
  /** Whether another connection may be served besides those that are `open`. */
  hasRoom: (open: number) => boolean;
};

/**
 * Keeps a process below its limit of open files, where the operating system would close connections silently and
 * everything else that needs a file would fail. Each outage is logged when it begins and when it ends.
 */
export function createCapacity(files: OpenFiles | undefined, onFull: () => void = () => undefined): Capacity {
  if (!files) return { hasRoom: () => true };
  const { limit, connections } = files;
  let closed = 0;
  let fullSince: number | undefined;
  const begin = () => {
    fullSince = performance.now();
    log.warn({ connections, openFiles: limit }, "new connections are closed: the limit of open files allows no more");
    onFull();
  };
  const end = (since: number) => {
    const seconds = Math.round((performance.now() - since) / 1000);
    log.warn({ closed, seconds }, "new connections are accepted again");
    [fullSince, closed] = [undefined, 0];
  };
  return {
    hasRoom(open) {
      if (open >= connections) {
        if (fullSince === undefined) begin();
        closed += 1;
        return false;
      }
      if (fullSince !== undefined && open < connections * CLEAR_SHARE) end(fullSince);
      return true;
    },
  };
}
