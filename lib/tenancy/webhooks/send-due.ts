import { randomUUID } from "node:crypto";

import type { Database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics";
import { UNREACHABLE_AFTER } from "./domain/after-attempt";
import { outcomeOf } from "./domain/after-attempt";
import { type PostMessage, TIMEOUT_MS } from "./post-message";
import { type Claimed, claimDeliveries, type EndpointRef, listReadyEndpoints, releaseDelivery } from "./queries-send";
import { recordOutcome } from "./record-outcome";
import { openSecret, signMessage } from "./secret";

/** Dependencies of the sender. Tests shift its clock and fix its random numbers. */
export type SenderPorts = {
  post: PostMessage;
  random: () => number;
  /** Seconds by which its clock is ahead of the database's. */
  shiftSeconds: () => number;
};

/** Maximum messages in flight per process, and per endpoint, so that a slow one leaves room for the others. */
const MAX_SENDING = 64;
const MAX_SENDING_TO_ONE = 8;
/** Longer than any attempt can take: after that, the process that made it is dead. */
const LEASE_SECONDS = TIMEOUT_MS / 1000 + 30;

const nameOf = ({ workspaceId, endpointId }: EndpointRef) => `${workspaceId} ${endpointId}`;

function headersOf(message: Claimed, timestampSeconds: number): Record<string, string> {
  const { eventId, endpointId, payload, sealedSecret, sealedPreviousSecret } = message;
  const secrets = [sealedSecret, sealedPreviousSecret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => openSecret(sealed, endpointId));
  return {
    "content-type": "application/json",
    "user-agent": "Imprint-Webhooks/1",
    "webhook-id": eventId,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": signMessage(secrets, { id: eventId, timestampSeconds, payload }),
  };
}

/** Sends due messages of this process; `sending` are those in flight. */
export function createSender(db: Database, ports: SenderPorts, stopped: AbortSignal) {
  const sending = new Set<Promise<void>>();
  const sendingTo = new Map<string, number>();

  const countTo = (endpoint: EndpointRef, by: number) => {
    const count = (sendingTo.get(nameOf(endpoint)) ?? 0) + by;
    if (count === 0) sendingTo.delete(nameOf(endpoint));
    else sendingTo.set(nameOf(endpoint), count);
  };

  async function send(message: Claimed): Promise<void> {
    const shift = ports.shiftSeconds();
    const timestampSeconds = Math.floor(now().getTime() / 1000 + shift);
    const headers = headersOf(message, timestampSeconds);
    const { retryAfter, ...answer } = await ports.post({ ...message, headers }, stopped);
    if (answer.status === undefined && stopped.aborted) {
      await releaseDelivery(db, message, shift);
      return;
    }
    const answeredAt = new Date(now().getTime() + ports.shiftSeconds() * 1000);
    const outcome = outcomeOf(answer.status, retryAfter, answeredAt);
    metrics()?.count("imprint_webhook_attempts_total", { outcome: outcome.kind });
    await recordOutcome(db, message, { outcome, answer }, { random: ports.random(), shift: ports.shiftSeconds() });
  }

  /** Starts an attempt. If its outcome cannot be recorded, the message is sent again after its lease. */
  function start(message: Claimed): void {
    countTo(message, 1);
    const ended = send(message)
      .catch((err: unknown) => {
        log.warn({ err, deliveryId: message.deliveryId }, "sending a webhook failed; it will be sent again later");
      })
      .finally(() => {
        countTo(message, -1);
        sending.delete(ended);
      });
    sending.add(ended);
  }

  /** Messages that may be sent to an endpoint now; an unreachable one gets one at a time. */
  function roomOf(endpoint: EndpointRef, failures: number): number {
    const most = failures >= UNREACHABLE_AFTER ? 1 : MAX_SENDING_TO_ONE;
    return Math.min(most - (sendingTo.get(nameOf(endpoint)) ?? 0), MAX_SENDING - sending.size);
  }

  return {
    sending,
    /** Starts sending due messages, up to the limits. @returns the number of messages examined */
    async startDue(): Promise<number> {
      let looked = 0;
      for (const { failures, ...endpoint } of await listReadyEndpoints(db, ports.shiftSeconds())) {
        const limit = roomOf(endpoint, failures);
        if (limit <= 0 || stopped.aborted) continue;
        const found = await claimDeliveries(db, endpoint, {
          limit,
          lease: randomUUID(),
          leaseSeconds: LEASE_SECONDS,
          shift: ports.shiftSeconds(),
        });
        looked += found.looked;
        for (const message of found.claimed) start(message);
      }
      return looked;
    },
  };
}

/** Sends in rounds until nothing is due. */
export async function sendAllDue(db: Database, ports: SenderPorts, stopped: AbortSignal): Promise<void> {
  const sender = createSender(db, ports, stopped);
  for (let looked = 1; !stopped.aborted && (looked > 0 || sender.sending.size > 0);) {
    looked = await sender.startDue();
    // A race of no promises never settles: if nothing is in flight, everything examined waits for an earlier message.
    if (sender.sending.size > 0) await Promise.race(sender.sending);
  }
  await Promise.all(sender.sending);
}
