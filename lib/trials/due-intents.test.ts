import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";

import type { Db } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import { countReads } from "@/test/count-reads";
import { createTestDatabase } from "@/test/database";
import { listDueIntents, listEndingIntents } from "./queries-intents";
import { endIntents } from "./reconcile-intents";

const { db } = await createTestDatabase();
const MANY = 3_000;
const LIMIT = 50;

type Times = { pay?: string; next?: string | null; lease?: string | null; expires?: string; sealed?: boolean };
const at = (span: string | null | undefined): SQL =>
  span === undefined || span === null ? sql`null::timestamptz` : sql`now() + ${span}::interval + n * interval '1 ms'`;

/** Purchases of one state, each later than the one before. */
const fill = (status: string, count: number, { pay = "1 hour", next, lease, expires, sealed = false }: Times = {}) =>
  db.execute(sql`
    insert into trial_intents (intent_id, claim_hash, origin, status, pay_until, limits, attempt_id, next_look_at,
      lease_until, trial_expires_at, deliver_until, sealed_key)
    select gen_random_uuid(), sha256(random()::text::bytea), 'https://a.example', ${status}, ${at(pay)}, '{}',
      gen_random_uuid(), ${at(next)}, ${at(lease)}, ${at(expires)}, ${sealed ? at("-1 hour") : at(null)},
      ${sealed ? "sealed" : null}::text
    from generate_series(1, ${count}::int) n`);

const readsOf = (list: (tx: Db) => Promise<string[]>) =>
  db.transaction((tx) => countReads(tx, "^trial_intents$", () => list(tx)));

test("purchases to reconcile are read in batches, those without a time first, however many are due, leased or later", async () => {
  await db.execute(sql`delete from trial_intents`);
  await db.execute(sql`analyze trial_intents`);
  await fill("expired", MANY);
  await fill("payment_in_progress", MANY, { next: "-1 hour" });
  await fill("reconciliation_pending", MANY, { next: "1 hour" });
  await fill("provisioning", 3, { lease: "-1 minute" });
  await fill("provisioning", 3, { lease: "1 minute" });
  const { result, reads } = await readsOf((tx) => listDueIntents(tx, LIMIT));
  expect(reads).toBeLessThan(4 * LIMIT);
  const [first] = await db.execute<{ statuses: string }>(sql`
    select string_agg(status, ' ') as statuses from trial_intents
    where intent_id = any (${`{${result
      .slice(0, 4)
      .map((id) => id.replace("ati_", ""))
      .join()}}`}::uuid[])`);
  expect(first?.statuses.split(" ").sort()).toEqual(["payment_in_progress", ...Array<string>(3).fill("provisioning")]);
  expect(result).toHaveLength(LIMIT);
});

test("purchases that were leased or delayed while the clock was ahead are due once the clock is set back", async () => {
  await db.execute(sql`delete from trial_intents`);
  await fill("reconciliation_pending", 1, { next: "1 day" });
  await fill("payment_in_progress", 1, { lease: "1 day" });
  await fill("provisioning", 1, { next: "1 minute" });
  expect(await listDueIntents(db, LIMIT)).toHaveLength(2);
});

test("purchases and trials that end are read in batches, however many end or do not", async () => {
  await db.execute(sql`delete from trial_intents`);
  await db.execute(sql`analyze trial_intents`);
  await fill("payment_required", MANY, { pay: "1 hour" });
  await fill("active", 10, { expires: "1 hour" });
  const list = (tx: Db) => listEndingIntents(tx, LIMIT);
  expect(await readsOf(list)).toMatchObject({ result: [] });
  await fill("active", 2, { expires: "1 hour", sealed: true });
  await fill("active", 3, { expires: "-1 hour", sealed: true });
  await fill("payment_failed", 4, { pay: "-1 hour" });
  expect((await readsOf(list)).result).toHaveLength(9);
  await fill("payment_required", MANY, { pay: "-1 hour" });
  const { result, reads } = await readsOf(list);
  expect(result).toHaveLength(LIMIT);
  expect(reads).toBeLessThan(4 * LIMIT);
});

test("a purchase that cannot be ended keeps no other from ending", async () => {
  await db.execute(sql`delete from trial_intents`);
  await fill("payment_required", 3, { pay: "-1 hour" });
  const [stuck = "", ...others] = await listEndingIntents(db, LIMIT);
  await db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`);
  await db.execute(sql`
    create trigger stuck before update on trial_intents for each row
    when (old.intent_id = '${sql.raw(idToUuid(stuck))}') execute function refuse()`);
  await endIntents(db, new AbortController().signal);
  expect(others).toHaveLength(2);
  expect(await listEndingIntents(db, LIMIT)).toEqual([stuck]);
});
