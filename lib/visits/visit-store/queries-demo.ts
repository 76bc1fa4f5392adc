import { sql } from "drizzle-orm";

import { insertMissing } from "@/db/batches";
import type { Db } from "@/db/client";
import {
  accountLinks,
  deviceAccounts,
  deviceAddresses,
  devices,
  deviceShadows,
  deviceTokens,
  labels,
  networkTokens,
  visitRules,
  visits,
  visitSignals,
} from "@/db/schema";
import type { Label } from "@/lib/contract/labels";
import { idToUuid } from "@/lib/contract/ids";
import { firedRules } from "@/lib/visits/risk/domain/fired-rules";
import { packJson } from "./pack-json";
import { uuid } from "./queries-parts";

type Rows<Table extends { $inferInsert: unknown }> = readonly Table["$inferInsert"][];

/** A visit with its raw signals, if they are not erased. */
export type DemoVisitRow = Omit<(typeof visits)["$inferInsert"], "evidencePacked">;

const visitRow = (visit: DemoVisitRow) => ({
  ...visit,
  evidence: { risk: [] },
  evidencePacked: packJson("evidence", visit.evidence),
  signals: null,
});

const signalsRow = ({ workspaceId, eventId, signals }: DemoVisitRow) =>
  signals == null ? [] : [{ workspaceId, eventId, packed: packJson("signals", signals) }];

type DemoEvidence = { risk?: readonly { ruleId: string }[]; observed?: readonly { ruleId: string }[] };

function rulesOf({ workspaceId, eventId, evidence }: DemoVisitRow) {
  const { risk = [], observed = [] } = evidence as DemoEvidence; // as `assessRisk` makes it
  return firedRules({ evidence: risk, observed }).map((rule) => ({ workspaceId, eventId, ...rule }));
}

/** Inserts demo visits with all the rows that real ones would have left. Existing rows are kept. */
export async function insertDemoVisits(
  db: Db,
  rows: {
    devices: Rows<typeof devices>;
    deviceTokens: Rows<typeof deviceTokens>;
    networkTokens: Rows<typeof networkTokens>;
    deviceShadows: Rows<typeof deviceShadows>;
    deviceAddresses: Rows<typeof deviceAddresses>;
    visits: readonly DemoVisitRow[];
    accountLinks: Rows<typeof accountLinks>;
    deviceAccounts: Rows<typeof deviceAccounts>;
    deviceLabels: readonly { workspaceId: string; deviceId: string; label: Label }[];
  },
): Promise<void> {
  await insertMissing(db, devices, rows.devices);
  await insertMissing(db, deviceTokens, rows.deviceTokens);
  await insertMissing(db, networkTokens, rows.networkTokens);
  await insertMissing(db, deviceShadows, rows.deviceShadows);
  await insertMissing(db, deviceAddresses, rows.deviceAddresses);
  await insertMissing(db, visits, rows.visits.map(visitRow));
  await insertMissing(db, visitRules, rows.visits.flatMap(rulesOf));
  await insertMissing(db, visitSignals, rows.visits.flatMap(signalsRow));
  await insertMissing(db, accountLinks, rows.accountLinks);
  await insertMissing(db, deviceAccounts, rows.deviceAccounts);
  await insertMissing(
    db,
    labels,
    rows.deviceLabels.map(({ workspaceId, deviceId, label }) => ({
      ...{ workspaceId, label, subjectKind: "device" as const, subjectId: idToUuid(deviceId) },
      ...{ actorKind: "operator", createdBy: "" },
    })),
  );
}

export async function hasVisits(db: Db, workspaceId: string): Promise<boolean> {
  const rows = await db.execute(sql`select 1 from visits where workspace_id = ${uuid(workspaceId)} limit 1`);
  return rows.length > 0;
}
