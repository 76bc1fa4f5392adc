import { openStreamingPair } from "@/test/streaming-replica";
import { openGate } from "../faults/fault-proxy";
import type { CleanUp } from "./command";

/**
 * A primary with a synchronous standby behind a balancer; `url` always leads to the primary, which after `failOver` is
 * the former standby.
 */
export async function openReplicatedDatabase(
  cleanUp: CleanUp,
): Promise<{ url: string; failOver: () => Promise<void> }> {
  const { primary, standby } = await openStreamingPair(cleanUp, { isSynchronous: true });
  const gate = await openGate(primary.url);
  cleanUp.push(() => gate.close());
  return {
    url: gate.url,
    async failOver() {
      const killed = primary.kill();
      await gate.cut();
      await killed;
      await standby.promote();
      gate.moveTo(standby.url);
      await gate.reopen();
    },
  };
}
