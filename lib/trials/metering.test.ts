import { setTimeout as delay } from "node:timers/promises";

import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { violatedConstraint } from "@/db/client";
import { AppError, isAppError } from "@/lib/contract/errors";
import { idToUuid } from "@/lib/contract/ids";
import { type Deliver, prepareMetering, runMetering, UNITS } from "@/scripts/faults/metering";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { randomOf } from "@/scripts/common/random";

const database = await createTestDatabase({ poolSize: 50 });
const { db } = database;
const sandbox = await startSandbox();
afterAll(() => sandbox.close());
const random = randomOf(1);
const meter = await prepareMetering(database, sandbox, random);
const { counts, deliverAll, startRound, trial, workspace } = meter;

test(
  "100 units give exactly 100 deliveries to 50 clients, in 20 rounds, half of them with killed connections",
  { timeout: 300_000 },
  async () => {
    expect(await runMetering(meter, { rounds: 20 })).toEqual([]);
  },
);

test(
  "the same rounds detect an implementation that checks first and counts afterwards",
  { timeout: 120_000 },
  async () => {
    const naive: Deliver = async (imprint) => {
      const event = sql`${idToUuid(imprint)}::uuid`;
      const known = await db.execute(sql`
      select 1 from report_deliveries where workspace_id = ${workspace}::uuid and event_id = ${event}`);
      if (known.length > 0) return "repeat";
      const before = await counts();
      if ((before?.units ?? 0) >= UNITS) throw new AppError("quota_exhausted");
      await db.execute(sql`
      insert into report_deliveries (workspace_id, event_id, web_app_id, key_id, period)
      values (${workspace}::uuid, ${event}, ${idToUuid(trial.webAppId)}::uuid, null, 'total') on conflict do nothing`);
      await db
        .execute(sql`update trial_grants set units_used = units_used + 1 where workspace_id = ${workspace}::uuid`)
        .catch((error: unknown) => {
          if (violatedConstraint(error) !== "trial_grants_units") throw error;
        });
      return "first";
    };
    // Several rounds, since in a single one a double count and an uncounted delivery can cancel out.
    expect(await runMetering({ ...meter, deliver: naive }, { rounds: 5, areKilled: false })).not.toEqual([]);
  },
);

test("the same rounds detect a Report whose first delivery is reported for three acceptances", async () => {
  const forgetful: Deliver = (imprint) => meter.deliver(imprint, "sign-in");
  expect(await runMetering({ ...meter, deliver: forgetful }, { rounds: 1 })).not.toEqual([]);
});

test("under a concurrent revocation ledger and units stay equal", { timeout: 120_000 }, async () => {
  for (let round = 0; round < 5; round += 1) {
    const imprints = await startRound(90);
    const revoke = async () => {
      await delay(5 + 55 * random());
      await db.execute(sql`update trial_grants set status = 'revoked' where workspace_id = ${workspace}::uuid`);
    };
    const refusals: string[] = [];
    const deliver: Deliver = (imprint, acceptance) =>
      meter.deliver(imprint, acceptance).catch((error: unknown) => {
        if (!isAppError(error) || error.code !== "grant_revoked") throw error;
        refusals.push(imprint);
        return "repeat";
      });
    await Promise.all([deliverAll(imprints, deliver), revoke()]);
    const after = await counts();
    expect(after?.units).toBe(after?.ledger);
  }
});
