import type { Database } from "@/db/client";
import { env } from "@/lib/platform/env";
import type { Stopper } from "@/lib/interfaces/http/server/stopper";
import { JOB_GROUPS, startJobGroups } from "@/lib/operations/jobs";
import { canonicalAddress } from "@/lib/platform/addresses";
import { startProbe } from "@/lib/visits/probe";
import { startWebhookSender } from "@/lib/tenancy/webhooks";
import { startReconciler } from "@/lib/trials";

/** Starts the address probe if configured; returns the URLs at which browsers reach it. */
export async function openProbe(db: Database, stopper: Stopper): Promise<string[]> {
  const { PROBE_UDP_PORT: port, PROBE_PUBLIC_HOST: publicHost } = env;
  if (port === undefined || publicHost === undefined) return [];
  const probe = await startProbe({ db, port, publicHost, addressOf: canonicalAddress });
  stopper.onStop({ name: "address probe", timeoutMs: 1_000, close: probe.close });
  process.stdout.write(`Probe     ${probe.urls.join(" ")}\n`);
  return probe.urls;
}

/** Starts recurring work. Leases keep two machines from doing the same work. */
export function startBackground(db: Database, stopper: Stopper): void {
  const reconciler = startReconciler(db);
  stopper.onStop({ name: "reconciliation of payments", timeoutMs: 6_000, close: reconciler.stop });
  const sender = startWebhookSender(db);
  stopper.onStop({ name: "webhooks", timeoutMs: 6_000, close: sender.stop });
  for (const { group, stop } of startJobGroups(db, JOB_GROUPS))
    stopper.onStop({ name: `background jobs: ${group}`, timeoutMs: 6_000, close: stop });
}
