import { openStreamingPair } from "@/test/streaming-replica";
import { openFaultProxy } from "../faults/fault-proxy";
import type { CleanUp } from "./command";

/**
 * A primary with a synchronous standby behind a balancer; `url` always leads to the primary, which after `failOver` is
 * the former standby.
 */
export async function openReplicatedDatabase(
  cleanUp: CleanUp,
): Promise<{ url: string; failOver: () => Promise<void> }> {
  const { primary, standby } = await openStreamingPair(cleanUp, { isSynchronous: true });
  const faultProxy = await openFaultProxy(primary.url);
  cleanUp.push(() => faultProxy.close());
  return {
    url: faultProxy.url,
    async failOver() {
      const killed = primary.kill();
      await faultProxy.cut();
      await killed;
      await standby.promote();
      faultProxy.moveTo(standby.url);
      await faultProxy.reopen();
    },
  };
}
