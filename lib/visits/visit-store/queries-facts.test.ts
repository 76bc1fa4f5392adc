import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { newId, idToUuid } from "@/lib/contract/ids";
import { createSite } from "@/test/visits";
import { MAX_OBSERVATIONS } from "@/lib/visits/devices/domain/network-observations";
import { matchQuery } from "@/lib/visits/devices/match-facts";
import { countReads } from "@/test/count-reads";
import { insertTestDevice } from "@/test/devices";
import { findMatchFacts } from "./queries-facts";
import { deleteOldTokenObservations, tallyStrata } from "./queries-population";

const { db } = await createTestDatabase();

type Seen = { network?: string; model?: string; token?: string; first: number; last: number; stratum?: string };

/** A token of a device that was first and last seen the given numbers of days ago. */
async function see(
  workspaceId: string,
  { network = "7", model = "1", token = newId("device"), first, last, stratum }: Seen,
): Promise<string> {
  const deviceId = await insertTestDevice(db, workspaceId);
  await db.execute(sql`
    with filed as (insert into device_profiles (workspace_id, device_id, profile)
      values (${idToUuid(workspaceId)}::uuid, ${idToUuid(deviceId)}::uuid, '{}'))
    insert into network_tokens (workspace_id, network, token_id, device_id, model, first_day, last_day, days, stratum)
    select ${idToUuid(workspaceId)}::uuid, ${network}::bigint, ${idToUuid(token)}::uuid,
      ${idToUuid(deviceId)}::uuid, ${model}::bigint, today - ${first}::int, today - ${last}::int, 2, ${stratum ?? null}::text
    from (select (clock_timestamp() at time zone 'UTC')::date as today) at`);
  return deviceId;
}

async function factsOf(workspaceId: string, place: { network: string; model: string } | undefined) {
  const query = matchQuery({ workspaceId, tokenId: undefined, place, draw: 0 });
  return query.factsOf(await findMatchFacts(db, query.values)).neighbourhood;
}

test("a visit sees the tokens of its own network, and the profiles of those of its model that returned", async () => {
  const { workspaceId } = await createSite(db);
  const proven = await see(workspaceId, { first: 30, last: 1 });
  await see(workspaceId, { first: 2, last: 2 });
  await see(workspaceId, { first: 30, last: 1, model: "2" });
  await see(workspaceId, { first: 30, last: 1, network: "8" });
  await see(workspaceId, { first: 200, last: 130 });
  const other = await createSite(db);
  await see(other.workspaceId, { first: 30, last: 1 });
  const found = await factsOf(workspaceId, { network: "7", model: "1" });
  expect(found?.observations).toHaveLength(3);
  expect(found?.observations.filter(({ isSameModel }) => isSameModel)).toHaveLength(2);
  expect(found?.observations).toContainEqual(expect.objectContaining({ deviceId: proven, isSameModel: true, days: 2 }));
  expect(found?.devices.map(({ deviceId }) => deviceId)).toEqual([proven]);
  expect(await factsOf(workspaceId, undefined)).toBeUndefined();
});

test("a visit sees when tokens of its model were last seen anywhere, also those that belong to another device since", async () => {
  const { workspaceId } = await createSite(db);
  const [left, freed, model] = [newId("device"), newId("device"), newId("device")];
  const home = await see(workspaceId, { token: left, first: 30, last: 20 });
  await db.execute(sql`
    insert into network_tokens (workspace_id, network, token_id, device_id, model, first_day, last_day, days)
    select workspace_id, 8, token_id, device_id, model, last_day + 1, last_day + 12, 2 from network_tokens
    where workspace_id = ${idToUuid(workspaceId)}::uuid`);
  await see(workspaceId, { token: freed, first: 19, last: 15 });
  const since = await see(workspaceId, { token: freed, network: "9", first: 12, last: 3 });
  await db.execute(sql`
    insert into device_tokens (workspace_id, token_id, device_id)
    values (${idToUuid(workspaceId)}::uuid, ${idToUuid(freed)}::uuid, ${idToUuid(since)}::uuid)`);
  await see(workspaceId, { token: model, model: "2", first: 30, last: 20 });
  const found = await factsOf(workspaceId, { network: "7", model: "1" });
  const days = found?.observations.map((one) => [one.lastDayAnywhere - one.lastDay, one.isSameModel]);
  expect(days).toHaveLength(3);
  expect(days).toEqual(
    expect.arrayContaining([
      [12, true],
      [12, true],
      [0, false],
    ]),
  );
  expect(found?.observations).toContainEqual(expect.objectContaining({ deviceId: home }));
});

test("a token seen in thousands of networks costs no more to read than one, with statistics older than it", async () => {
  const { workspaceId } = await createSite(db);
  await db.execute(sql`analyze network_tokens`);
  await see(workspaceId, { first: 30, last: 20 });
  await db.execute(sql`
    insert into network_tokens (workspace_id, network, token_id, device_id, model, first_day, last_day, days)
    select workspace_id, 100 + n, token_id, device_id, model, last_day, last_day + 2, 2
    from network_tokens, generate_series(1, 5000) n where workspace_id = ${idToUuid(workspaceId)}::uuid`);
  const { result, reads } = await db.transaction((tx) =>
    countReads(tx, "^(network|device)_tokens$", () => {
      const query = matchQuery({ workspaceId, tokenId: undefined, place: { network: "7", model: "1" }, draw: 0 });
      return findMatchFacts(tx, query.values).then(query.factsOf);
    }),
  );
  expect(result.neighbourhood?.observations.map((one) => one.lastDayAnywhere - one.lastDay)).toEqual([2]);
  expect(reads).toBeLessThan(20);
});

test("reading a crowded network is bounded and reports it as crowded", async () => {
  const { workspaceId } = await createSite(db);
  await Promise.all(Array.from({ length: MAX_OBSERVATIONS + 8 }, () => see(workspaceId, { first: 3, last: 3 })));
  const found = await factsOf(workspaceId, { network: "7", model: "1" });
  expect(found?.observations).toHaveLength(MAX_OBSERVATIONS + 1);
});

test("links are tallied by stratum, and disproved by a second token of the model that lives on", async () => {
  const { workspaceId } = await createSite(db);
  const [home, stratum] = [{ network: "7" }, "desktop/0/0/0"];
  await see(workspaceId, { ...home, first: 60, last: 2 });
  await see(workspaceId, { ...home, first: 20, last: 10, stratum });
  // The first token was not seen again: the storage was cleared.
  await see(workspaceId, { network: "8", first: 60, last: 40 });
  await see(workspaceId, { network: "8", first: 40, last: 3, stratum });
  // A private window, and one kept open past the end of a UTC day.
  await see(workspaceId, { network: "8", first: 20, last: 20, stratum });
  await see(workspaceId, { ...home, first: 21, last: 20, stratum });
  // Another model, and a token that is too new to evaluate.
  await see(workspaceId, { ...home, model: "2", first: 30, last: 2, stratum: "desktop/0/0/-" });
  await see(workspaceId, { ...home, model: "3", first: 1, last: 1, stratum });
  expect(await tallyStrata(db, workspaceId, 100)).toEqual({
    [stratum]: { returned: 3, links: 4, wrong: 1, recent: { returned: 1, wrong: 1 }, met: { all: 5, lately: 1 } },
    "desktop/0/0/-": {
      returned: 1,
      links: 0,
      wrong: 0,
      recent: { returned: 0, wrong: 0 },
      met: { all: 0, lately: 0 },
    },
  });
});

test("tokens that a network has not seen for four months are deleted, and all others are kept", async () => {
  const { workspaceId } = await createSite(db);
  await see(workspaceId, { first: 200, last: 121 });
  await see(workspaceId, { first: 200, last: 119 });
  expect(await deleteOldTokenObservations(db, new AbortController().signal)).toBeGreaterThanOrEqual(1);
  const rows = await db.execute(sql`select 1 from network_tokens where workspace_id = ${idToUuid(workspaceId)}::uuid`);
  expect(rows).toHaveLength(1);
});
