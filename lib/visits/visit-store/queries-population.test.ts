import { type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";

import { countReads } from "@/test/count-reads";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { RECENT_DAYS } from "@/lib/visits/devices/domain/strata";
import { uuid } from "./queries-parts";
import { freeDisprovedTokens, tallyStrata } from "./queries-population";

const { db } = await createTestDatabase();
const DEVICES = 2_000;

/** Devices with an older token and one that was linked to the device by evidence, which both lived on. */
async function addDisprovedLinks(workspace: SQL): Promise<void> {
  const made = sql`
    select md5('d' || n)::uuid as device, md5(kind || n)::uuid as token, n as network, kind
    from generate_series(1, ${DEVICES}) n cross join (values ('older'), ('linked')) kinds (kind)`;
  await db.execute(sql`
    insert into network_tokens (workspace_id, network, token_id, device_id, model, first_day, last_day, days, stratum)
    select ${workspace}, network, token, device, 1, current_date - case kind when 'older' then 20 else 10 end,
      current_date, 5, case kind when 'linked' then 'home' end
    from (${made}) made`);
  await db.execute(sql`
    insert into device_tokens (workspace_id, token_id, device_id) select ${workspace}, token, device from (${made}) made`);
}

test("tokens with a disproved link are freed by reading each once if the planner's statistics are older than they are", async () => {
  const [known, workspaceId] = await Promise.all([createTestWorkspace(db), createTestWorkspace(db)]);
  await addDisprovedLinks(uuid(known));
  await db.execute(sql`analyze network_tokens, device_tokens`);
  await addDisprovedLinks(uuid(workspaceId));
  const { result, reads } = await db.transaction((tx) =>
    countReads(tx, "^(network|device)_tokens$", () => freeDisprovedTokens(tx, workspaceId, 10_000)),
  );
  expect(result).toBe(DEVICES);
  expect(reads).toBeLessThan(20 * DEVICES);
  const left = await db.execute<{ token: string }>(sql`
    select token_id::text as token from device_tokens where workspace_id = ${uuid(workspaceId)}
      and token_id in (select md5('linked' || n)::uuid from generate_series(1, ${DEVICES}) n)`);
  expect(left).toHaveLength(0);
});

/** Tokens of a network; the days count from today. */
const token = fc.record({
  network: fc.nat({ max: 2 }),
  token: fc.nat({ max: 9 }),
  device: fc.nat({ max: 2 }),
  model: fc.nat({ max: 1 }),
  firstDay: fc.integer({ min: -50, max: -1 }),
  days: fc.oneof(fc.constant(0), fc.nat({ max: 50 })),
  isLink: fc.boolean(),
});
const tokens = fc
  .uniqueArray(token, { selector: ({ network, token }) => `${network}-${token}`, maxLength: 20 })
  .map((drawn) => drawn.map(({ days, ...each }) => ({ ...each, lastDay: Math.min(0, each.firstDay + days) })));
type Token = ReturnType<typeof tokens.generate>["value"][number];

const livedOn = ({ firstDay, lastDay }: Token) => lastDay - firstDay >= 2;
/** Days over which it was seen since it was new in its network, there or elsewhere. */
const livedDays = (all: readonly Token[], link: Token) =>
  Math.max(...all.filter((one) => one.token === link.token).map(({ lastDay }) => lastDay)) - link.firstDay;
const keyOf = ({ lastDay, token }: Token) => lastDay * 1000 + token;

/** What `secondMachines` decides, one pair of tokens after the other. */
function isSecond(all: readonly Token[], link: Token, isEarlier: (other: Token) => boolean): boolean {
  if (!link.isLink || livedDays(all, link) < 2) return false;
  const earlier = all.filter(
    (other) => other !== link && other.network === link.network && other.model === link.model && isEarlier(other),
  );
  if (earlier.some((other) => livedOn(other) && other.lastDay > link.firstDay)) return true;
  const newest = earlier
    .filter((other) => other.lastDay > other.firstDay && link.firstDay - other.lastDay <= 30)
    .sort(
      (one, other) =>
        other.lastDay - one.lastDay || Number(livedOn(other)) - Number(livedOn(one)) || keyOf(other) - keyOf(one),
    )[0];
  return (
    newest !== undefined &&
    livedOn(newest) &&
    all.some((later) => later.device === newest.device && later.token === newest.token && later.lastDay > link.firstDay)
  );
}

const NOTHING = { returned: 0, wrong: 0 };
const idOf = (kind: string, id: number) => `${kind}${id}`.padStart(32, "0");

async function addTokens(workspace: SQL, all: readonly Token[]): Promise<void> {
  const rows = all.map(({ network, token, device, model, firstDay, lastDay, isLink }) => ({
    network,
    model,
    stratum: isLink ? "home" : "home/-",
    first: -firstDay,
    last: -lastDay,
    token: idOf("a", token),
    device: idOf("d", device),
  }));
  await db.execute(sql`
    insert into network_tokens (workspace_id, network, token_id, device_id, model, first_day, last_day, days, stratum)
    select ${workspace}, network, token, device, model, current_date - first, current_date - last, 1, stratum
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as t (network bigint, token uuid, device uuid, model bigint, first int, last int, stratum text)`);
  await db.execute(sql`
    insert into device_tokens (workspace_id, token_id, device_id)
    select distinct on (token_id) workspace_id, token_id, device_id from network_tokens where workspace_id = ${workspace}`);
}

const isBefore = (one: Token, other: Token) =>
  one.firstDay < other.firstDay || (one.firstDay === other.firstDay && one.token < other.token);

const bound = async (workspace: SQL) => {
  const rows = await db.execute<{ token: string; device: string }>(sql`
    select replace(token_id::text, '-', '') as token, replace(device_id::text, '-', '') as device
    from device_tokens where workspace_id = ${workspace}`);
  return new Map(rows.map(({ token, device }) => [token, device]));
};

test("a link is disproved, and its token freed, exactly if it and an earlier token of the model are two machines", async () => {
  let disproved = 0;
  await fc.assert(
    fc.asyncProperty(tokens, async (all) => {
      const workspaceId = await createTestWorkspace(db);
      await addTokens(uuid(workspaceId), all);
      const wrong = all.filter((link) => isSecond(all, link, (other) => other.firstDay <= link.firstDay));
      disproved += wrong.length;
      const tallies = await tallyStrata(db, workspaceId, 100);
      expect(tallies["home"]?.wrong ?? 0).toBe(wrong.length);
      const returned = all.filter((link) => link.isLink && link.firstDay > -RECENT_DAYS && livedDays(all, link) > 0);
      const recentWrong = wrong.filter(({ firstDay }) => firstDay > -RECENT_DAYS);
      expect(tallies["home"]?.recent ?? NOTHING).toEqual({ returned: returned.length, wrong: recentWrong.length });

      const before = await bound(uuid(workspaceId));
      const freed = all.filter(
        (link) =>
          before.get(idOf("a", link.token)) === idOf("d", link.device) &&
          isSecond(all, link, (other) => other.device === link.device && isBefore(other, link)),
      );
      await freeDisprovedTokens(db, workspaceId, 100);
      const after = await bound(uuid(workspaceId));
      expect(new Set([...before.keys()].filter((token) => !after.has(token)))).toEqual(
        new Set(freed.map((link) => idOf("a", link.token))),
      );
    }),
    { numRuns: 60 },
  );
  expect(disproved).toBeGreaterThan(0);
});

test("each token of a crowded network is read once for all links there", async () => {
  const workspaceId = await createTestWorkspace(db);
  const seen = { network: 1, firstDay: -10, lastDay: 0, isLink: true };
  const all = Array.from({ length: DEVICES }, (_, token) => ({ ...seen, token, device: token, model: token }));
  await addTokens(uuid(workspaceId), all);
  const { result, reads } = await db.transaction((tx) =>
    countReads(tx, "^network_tokens$", () => tallyStrata(tx, workspaceId, 10_000)),
  );
  expect(result).toEqual({
    home: {
      returned: DEVICES,
      links: DEVICES,
      wrong: 0,
      recent: { returned: DEVICES, wrong: 0 },
      met: { all: DEVICES, lately: 0 },
    },
  });
  expect(reads).toBeLessThan(10 * DEVICES);
});

test("visits that one known machine may have made are counted each, those of certainly other machines once per network", async () => {
  const workspaceId = await createTestWorkspace(db);
  const rows = [
    ["home", 1, 6],
    ["home", 1, 7],
    ["home/-", 1, 1],
    ["home/-/other-", 1, 9],
    ["home/-/other-", 1, 2],
    ["home/-/other-", 2, 3],
  ].map(([stratum, network, days], index) => ({ stratum, network, days, token: idOf("b", index) }));
  await db.execute(sql`
    insert into network_tokens (workspace_id, network, token_id, device_id, model, first_day, last_day, days, stratum)
    select ${uuid(workspaceId)}, network, token, token, 1, current_date - days, current_date - days, 1, stratum
    from json_to_recordset(${JSON.stringify(rows)}::json) as t (network bigint, token uuid, days int, stratum text)`);
  expect(await tallyStrata(db, workspaceId, 100)).toMatchObject({
    home: { met: { all: 2, lately: 1 } },
    "home/-": { met: { all: 0, lately: 0 } },
    "home/-/other-": { links: 0, met: { all: 2, lately: 1 } },
  });
});
