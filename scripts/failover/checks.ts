import { setTimeout as delay } from "node:timers/promises";

import { sql } from "drizzle-orm";

import type { Database } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import { readUsage } from "@/lib/metering";
import { operatorContext } from "@/test/workspaces";
import { findLost } from "../common/visitors";
import type { Load } from "./load";
import { failing } from "../common/report";

/** Slices are counted a minute after visits are stored; refused webhook messages are retried after 35 s. */
const SETTLE_MS = 240_000;
const POLL_MS = 1_000;

type Stored = {
  visits: number;
  ledger: number;
  units: number;
  /** Units as shown on the Usage page. */
  shown: number;
  /** Visits in hourly slices. */
  sliced: number;
  waiting: number;
  failing: number;
};

async function readStored(db: Database, workspaceId: string): Promise<Stored> {
  const { total } = await readUsage(operatorContext(db), { workspaceId });
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const [row] = await db.execute<Omit<Stored, "shown">>(sql`
    select (select count(*)::int from visits where workspace_id = ${workspace}) as visits,
      (select count(*)::int from report_deliveries where workspace_id = ${workspace}) as ledger,
      (select coalesce(sum(units_used), 0)::int from unit_slices where workspace_id = ${workspace}) as units,
      (select coalesce(sum(passed + suspicious + deceptive), 0)::int from visit_slices
        where workspace_id = ${workspace} and hours = 1 and code = 0) as sliced,
      (select count(*)::int from webhook_deliveries where workspace_id = ${workspace} and state = 'pending') as waiting,
      (select count(*)::int from jobs where last_error <> '') as failing`);
  if (!row) throw new Error("nothing is stored");
  return { ...row, shown: total.units };
}

/** What is stored once the service's background work is done. */
async function untilSettled(db: Database, workspaceId: string): Promise<Stored> {
  const endsAt = performance.now() + SETTLE_MS;
  for (;;) {
    const stored = await readStored(db, workspaceId);
    const { visits, sliced, waiting } = stored;
    if ((sliced === visits && waiting === 0) || performance.now() > endsAt) return stored;
    await delay(POLL_MS);
  }
}

type Message = { id: string; imprint: string };

function messagesOf({ target }: Load): Message[] {
  return target.received.flatMap(({ body, headers }) => {
    const { data } = JSON.parse(body) as { data: { imprint?: string } }; // safe: the service composed it
    return data.imprint === undefined ? [] : [{ id: headers["webhook-id"] ?? "", imprint: data.imprint }];
  });
}

/**
 * Compares acknowledged visits with what is stored, metered, counted and sent to webhooks; returns the figures and the
 * violations.
 */
export async function checkLoad(load: Load, address: string, db: Database) {
  const { site, visitors } = load;
  const { acknowledged } = visitors;
  // Reads each Report, so that every acknowledged visit is metered.
  const lost = await findLost(address, site, acknowledged);
  const stored = await untilSettled(db, site.workspaceId);
  const messages = messagesOf(load);
  const sent = new Map<string, Set<string>>();
  for (const { id, imprint } of messages) sent.set(imprint, (sent.get(imprint) ?? new Set()).add(id));
  const unsent = acknowledged.filter((imprint) => !sent.has(imprint));
  const doubled = [...sent.values()].filter(({ size }) => size > 1).length;
  const count = new Set(acknowledged).size;
  const checks: [boolean, string][] = [
    [lost.length === 0, `${lost.length} acknowledged visits were lost: ${lost.slice(0, 3).join(", ")}`],
    [count === acknowledged.length, `${acknowledged.length - count} imprints were issued twice`],
    [stored.ledger === count, `${stored.ledger} visits are metered, ${count} were read`],
    [stored.units === count, `${stored.units} units were used for ${count} visits`],
    [stored.shown === count, `${stored.shown} units are shown for ${count} visits`],
    [stored.sliced === stored.visits, `${stored.sliced} visits are in slices, ${stored.visits} are stored`],
    [stored.waiting === 0, `${stored.waiting} messages were not delivered`],
    [unsent.length === 0, `${unsent.length} visits were not sent: ${unsent.slice(0, 3).join(", ")}`],
    [doubled === 0, `${doubled} visits were sent as two events`],
    [sent.size === stored.visits, `${sent.size} visits were sent, ${stored.visits} are stored`],
    [stored.failing === 0, `${stored.failing} background jobs fail`],
  ];
  return {
    stored,
    messages: messages.length,
    lost,
    violations: failing(checks),
  };
}
