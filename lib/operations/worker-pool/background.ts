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
  const sender = startWebhookSender(db);
  const jobs = startJobGroups(db, JOB_GROUPS);
  const timeoutMs = 6_000;
  stopper.onStop(
    { name: "reconciliation of payments", timeoutMs, close: reconciler.stop },
    { name: "webhooks", timeoutMs, close: sender.stop },
    ...jobs.map(({ group, stop }) => ({ name: `background jobs: ${group}`, timeoutMs, close: stop })),
  );
}
