import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { particularSignals } from "@/test/devices";
import { createSite, type Site, visit } from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";
import { sql } from "drizzle-orm";
import { idToUuid } from "@/lib/contract/ids";
import { compareVisits } from "./index";

const { db } = await createTestDatabase();

const HOME = "87.128.7.7";

/** A visit, and one of the same browser with a different value. */
async function twoVisits(site: Site, second: Parameters<typeof visit>[1]) {
  const first = await visit(site, { signals: particularSignals(), address: HOME });
  const { imprint } = await visit(site, { address: HOME, token: first.token, ...second });
  return { a: first.imprint, b: imprint };
}

const named = (facts: readonly { name: string }[]) => facts.map(({ name }) => name);

test("two visits are compared by their differences, with the rules that read them and the earlier visit first", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const zone = { signals: particularSignals({ timeZone: "Asia/Tokyo" }) };
  const { a, b } = await twoVisits(site, zone);
  const found = await compareVisits(operatorContext(db), { workspaceId, a: b, b: a });
  expect(found.visits.map(({ report }) => report.imprint)).toEqual([a, b]);
  expect(found.changed).toContainEqual({
    name: "signals.timezone.timeZone",
    before: "Europe/Copenhagen",
    after: "Asia/Tokyo",
    rules: expect.arrayContaining(["environment.time-zone"]) as string[],
  });
  expect(named(found.same)).toEqual(expect.arrayContaining(["signals.webgl.renderer", "network.observed_ip"]));
  expect(named(found.same)).not.toContain("signals.timezone.timeZone");
  const outcome = found.findings.find(({ ruleId }) => ruleId === "environment.time-zone");
  expect(outcome).toMatchObject({
    in: "second",
    changed: expect.arrayContaining(["signals.timezone.timeZone"]) as unknown,
  });
  expect(found.machine).toMatchObject({ contradiction: undefined });
  expect(found.machine?.parts.filter(({ isChanged }) => isChanged)).toEqual([]);
});

test("a part that a machine keeps is reported when it differs, and two at once mean another machine", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const card = "ANGLE (Intel, Intel(R) UHD Graphics 620 (0x00005917) Direct3D11 vs_5_0 ps_5_0, D3D11)";
  const machine = particularSignals({ gpu: card });
  if (machine.navigator?.state === "ok") machine.navigator.value.hardwareConcurrency = 4;
  const { a, b } = await twoVisits(site, { signals: machine });
  const found = await compareVisits(operatorContext(db), { workspaceId, a, b });
  const changed = found.machine?.parts.filter(({ isChanged }) => isChanged).map(({ part }) => part);
  expect(changed).toEqual(["gpu", "cores"]);
  expect(found.machine?.contradiction).toBe("hardware");
});

test("a different browser version lists the rules about versions, under the Report's name for it", async () => {
  const site = await createSite(db);
  const { a, b } = await twoVisits(site, { signals: particularSignals({ version: 143 }) });
  const { changed } = await compareVisits(operatorContext(db), { workspaceId: site.workspaceId, a, b });
  const version = changed.find(({ name }) => name === "browser.version");
  expect(version?.rules).toContain("automation.webdriver-removed");
  const agent = changed.find(({ name }) => name === "signals.navigator.userAgent");
  expect(agent?.rules.some((rule) => rule.startsWith("version."))).toBe(true);
});

test("addresses and places are only shown to those who may see them, and other workspaces' visits are not revealed", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const { a, b } = await twoVisits(site, { address: "87.128.7.8" });
  const analyst = await memberContext(db, workspaceId, "analyst");
  const found = await compareVisits(analyst, { workspaceId, a, b });
  expect(JSON.stringify(found)).not.toContain("87.128.7");
  expect(JSON.stringify(await compareVisits(operatorContext(db), { workspaceId, a, b }))).toContain("87.128.7.8");
  const other = await createSite(db);
  const foreign = await visit(other);
  await expect(compareVisits(analyst, { workspaceId, a, b: foreign.imprint })).rejects.toMatchObject({
    code: "report_not_found",
  });
  for (const wrong of [a, "", "imp_1", `dev_${"0".repeat(32)}`])
    await expect(compareVisits(analyst, { workspaceId, a, b: wrong })).rejects.toMatchObject({
      code: "invalid_request",
    });
});

test("visits whose raw signals were erased are compared by their Reports", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const { a, b } = await twoVisits(site, { signals: particularSignals({ version: 143 }) });
  await db.execute(sql`delete from visit_signals where workspace_id = ${idToUuid(workspaceId)}::uuid`);
  const found = await compareVisits(operatorContext(db), { workspaceId, a, b });
  expect(found.machine).toBeUndefined();
  expect(named(found.changed)).toContain("browser.version");
  expect(named([...found.changed, ...found.same]).filter((name) => name.startsWith("signals."))).toEqual([]);
});
