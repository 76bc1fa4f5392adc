import { setTimeout as wait } from "node:timers/promises";

import type { Database } from "@/db/client";
import { env } from "@/lib/platform/env";
import { linkSignals } from "@/lib/platform/link-signals";
import { log } from "@/lib/platform/log";
import { createPostMessage } from "./post-message";
import { createSender, type SenderPorts } from "./send-due";

const POLL_MS = 1_000;
/** Time for messages in flight to finish on shutdown; the others are released and sent again. */
const FINISH_MS = 3_000;

const servicePorts = (): SenderPorts => ({
  post: createPostMessage({ mayBePrivate: env.WEBHOOKS_ALLOW_PRIVATE }),
  random: Math.random,
  shiftSeconds: () => 0,
});

type Loop = { polling: AbortSignal; sending: AbortSignal };

/** Waits until one of the messages in flight ends, or for the next poll. */
async function pause(sending: Iterable<Promise<void>>, polling: AbortSignal): Promise<void> {
  // Each timer listens to a signal of its own: the messages of a second would all leave theirs on `polling`.
  const ended = new AbortController();
  const { signal } = linkSignals(polling, ended.signal);
  const poll = wait(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined);
  await Promise.race([...sending, poll]);
  ended.abort();
}

async function sendUntilStopped(db: Database, ports: SenderPorts, { polling, sending }: Loop): Promise<void> {
  const sender = createSender(db, ports, sending);
  while (!polling.aborted) {
    const looked = await sender.startDue().catch((error: unknown) => {
      log.warn({ err: error }, "webhooks could not be read; retrying");
      return 0;
    });
    // As soon as a message ends, the next one of its stream is due. Examined messages that must wait are no longer due.
    if (looked === 0 || sender.sending.size > 0) await pause(sender.sending, polling);
  }
  await Promise.all(sender.sending);
}

/**
 * Sends webhooks in the background. Any number of processes can: each claims messages with a lease. `stop` gives messages
 * in flight a moment to finish.
 */
export function startWebhookSender(db: Database, ports: SenderPorts = servicePorts()): { stop: () => Promise<void> } {
  const [polling, sending] = [new AbortController(), new AbortController()];
  const ended = sendUntilStopped(db, ports, { polling: polling.signal, sending: sending.signal });
  return {
    async stop() {
      polling.abort();
      await Promise.race([ended, wait(FINISH_MS, undefined, { ref: false })]);
      sending.abort();
      await ended;
    },
  };
}
