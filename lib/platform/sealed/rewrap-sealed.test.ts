import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { publishSecrets } from "@/lib/platform/secrets";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { TEST_SECRETS } from "@/test/secrets";
import { isKeyInUse, open, rewrapSealed, seal, type SealedStore } from "./index";

const { db } = await createTestDatabase();
await db.execute(sql`create table sealed_rows (row_id text primary key, sealed text)`);

const bound = (rowId: string) => `sealed_rows.sealed ${rowId}`;

const store: SealedStore = {
  name: "sealed_rows.sealed",
  async listNotUnder(database, keyId, limit) {
    const rows = await database.execute<{ row_id: string; sealed: string }>(
      sql`select row_id, sealed from sealed_rows where sealed not like ${`v1.${keyId}.%`} order by row_id limit ${limit}`,
    );
    return rows.map((row) => ({ boundTo: bound(row.row_id), sealed: row.sealed }));
  },
  async replace(database, { boundTo, old, fresh }) {
    const rowId = boundTo.slice(boundTo.indexOf(" ") + 1);
    const rows = await database.execute(
      sql`update sealed_rows set sealed = ${fresh} where row_id = ${rowId} and sealed = ${old} returning row_id`,
    );
    return rows.length > 0;
  },
};

const ROWS = 450;
const rowId = (index: number) => `row_${String(index).padStart(4, "0")}`;
const FRESH = `k2:${Buffer.alloc(32, 7).toString("base64")}`;

beforeEach(async () => {
  await db.execute(sql`truncate sealed_rows`);
  for (let index = 0; index < ROWS; index += 1) {
    const sealed = seal(`secret ${index}`, bound(rowId(index)));
    await db.execute(sql`insert into sealed_rows values (${rowId(index)}, ${sealed})`);
  }
});
afterEach(() => {
  publishSecrets(TEST_SECRETS);
});

test("rewrapping puts every row under the current key, exactly once, after which the old key may be removed", async () => {
  expect(await isKeyInUse(db, [store], "k1")).toBe(true);
  publishSecrets({ ...TEST_SECRETS, keks: `${FRESH},${TEST_SECRETS.keks}` });
  expect(await isKeyInUse(db, [store], "k1")).toBe(true);
  const context = operatorContext(db);
  const told: number[] = [];
  const rewrapped = await rewrapSealed(context, [store], (_name, count) => told.push(count));
  expect(rewrapped).toEqual({ keyId: "k2", rewrapped: { "sealed_rows.sealed": ROWS } });
  expect(told).toEqual([200, 400, ROWS]);
  expect(await rewrapSealed(context, [store])).toEqual({ keyId: "k2", rewrapped: { "sealed_rows.sealed": 0 } });
  expect(await isKeyInUse(db, [store], "k1")).toBe(false);
  expect(await isKeyInUse(db, [store], "k2")).toBe(true);
  publishSecrets({ ...TEST_SECRETS, keks: FRESH });
  const rows = await db.execute<{ row_id: string; sealed: string }>(sql`select row_id, sealed from sealed_rows`);
  for (const row of rows) expect(open(row.sealed, bound(row.row_id))).toBe(`secret ${Number(row.row_id.slice(4))}`);
});

test("a secret erased during rewrapping stays erased", async () => {
  publishSecrets({ ...TEST_SECRETS, keks: `${FRESH},${TEST_SECRETS.keks}` });
  const erasing: SealedStore = {
    ...store,
    async replace(database, row) {
      await database.execute(sql`update sealed_rows set sealed = null where row_id = ${rowId(3)}`);
      return await store.replace(database, row);
    },
  };
  const { rewrapped } = await rewrapSealed(operatorContext(db), [erasing]);
  expect(rewrapped["sealed_rows.sealed"]).toBe(ROWS - 1);
  expect(await db.execute(sql`select row_id from sealed_rows where sealed is null`)).toMatchObject([
    { row_id: rowId(3) },
  ]);
});

test("a secret that does not open is named", async () => {
  publishSecrets({ ...TEST_SECRETS, keks: `${FRESH},${TEST_SECRETS.keks}` });
  const ofOtherRow = sql`(select sealed from sealed_rows where row_id = ${rowId(4)})`;
  await db.execute(sql`update sealed_rows set sealed = ${ofOtherRow} where row_id = ${rowId(5)}`);
  await expect(rewrapSealed(operatorContext(db), [store])).rejects.toThrow(`${bound(rowId(5))}: `);
});

test("only operators rewrap", async () => {
  const owner = await memberContext(db, await createTestWorkspace(db), "owner");
  await expect(rewrapSealed(owner, [store])).rejects.toMatchObject({ code: "forbidden" });
});
