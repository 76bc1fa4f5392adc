import { expect, test } from "vitest";

import { newId } from "@/lib/contract/ids";
import { readUsage } from "@/lib/metering";
import { makeDemoData } from "@/lib/operations/demo";
import { listAudit, type Role, ROLES, setMemberRole, setPlan, setViewLog } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import { createPerson } from "@/test/oauth";
import { createSite, readReport, visit } from "@/test/visits";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { callTool, tokenFor } from "./testing";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const ADDRESS = "88.198.50.10";
/** Matches the address, and any finding text that contains it. */
const PLACES = /88\.198/;

type Found = {
  total?: number;
  devices?: number;
  account?: { visits: number; devices: number } | null;
  visits: { imprint: string; device: string; observed_ip?: string }[];
};
const foundBy = async (token: string, given: object = {}) => {
  const { code, result } = await callTool(token, "svc_find_visits", given);
  expect(code).toBeUndefined();
  return result.structuredContent as Found;
};

/**
 * A site with one visit from a known address that is linked to an account, and a token of a person who may see
 * everything.
 */
async function visited() {
  const site = await createSite(db);
  const { imprint } = await visit(site, { address: ADDRESS });
  await readReport(site.apiKey, imprint, { "x-account-ref": "user-17" });
  const owner = await createPerson(db, site.workspaceId);
  return { site, imprint, workspaceId: site.workspaceId, token: await tokenFor(owner, site.workspaceId) };
}

test("visits are found by account, device, address, status and time, only within their workspace", async () => {
  const { site, imprint, token } = await visited();
  await visit(site);
  const { visits } = await foundBy(token, { address: ADDRESS });
  expect(visits).toMatchObject([{ imprint, observed_ip: ADDRESS }]);
  const [{ device } = { device: "" }] = visits;
  for (const given of [{ account: "user-17" }, { device }, { address: "88.198.0.0/16" }])
    expect((await foundBy(token, given)).visits.map((each) => each.imprint)).toEqual([imprint]);
  expect(await foundBy(token, { account: "user-17" })).toMatchObject({ total: 1, account: { visits: 1, devices: 1 } });
  expect(await foundBy(token)).toMatchObject({ total: 2, devices: 2 });
  expect(await foundBy(token, { from: "2020-01-01", to: "2020-01-31" })).toMatchObject({ total: 0, visits: [] });
  expect(await foundBy(token, { account: "user-18" })).toMatchObject({ total: 0, account: null, visits: [] });
  const other = await visited();
  for (const given of [{ device }, { account: "user-18" }, { account: newId("account") }])
    expect((await foundBy(other.token, given)).visits).toEqual([]);
  for (const [name, given] of [
    ["svc_explain_report", { imprint }],
    ["svc_get_device", { device }],
  ] as const) {
    const foreign = await callTool(other.token, name, given);
    const unknown = await callTool(other.token, name, {
      imprint: newId("device").replace("dev", "imp"),
      ...("device" in given && { device: newId("device"), imprint: undefined }),
    });
    expect([foreign.code, foreign.result]).toEqual([unknown.code, unknown.result]);
    expect(foreign.code).toMatch(/not_found/);
  }
});

test("a visit is explained by the values that each rule compared and its harmless causes, without using a unit", async () => {
  const { imprint, workspaceId, token } = await visited();
  const before = (await readUsage(operator, { workspaceId })).month.used;
  const { result } = await callTool(token, "svc_explain_report", { imprint });
  expect(result.structuredContent).toMatchObject({ imprint, observed_ip: ADDRESS, account: { devices_on_account: 1 } });
  const { findings } = result.structuredContent as { findings: { compared: object[]; harmless_causes: string[] }[] };
  for (const finding of findings)
    expect([finding.compared.length > 0, finding.harmless_causes.length > 0]).toEqual([true, true]);
  expect((await readUsage(operator, { workspaceId })).month.used).toBe(before);
});

test.each(ROLES)("the role %s sees addresses only if it sees them in the Console", async (role) => {
  const { imprint, workspaceId } = await visited();
  const person = await createPerson(db, workspaceId, role);
  const token = await tokenFor(person, workspaceId);
  const seesAddresses = role === "owner" || role === "admin";
  const { visits, ...counts } = await foundBy(token, { account: "user-17" });
  const [{ device } = { device: "" }] = visits;
  const told = JSON.stringify([
    visits,
    counts,
    (await callTool(token, "svc_explain_report", { imprint })).result,
    (await callTool(token, "svc_get_device", { device })).result,
  ]);
  expect([visits.length, PLACES.test(told)]).toEqual([1, seesAddresses]);
  if (!seesAddresses) expect(told).not.toContain("country");
  for (const given of [{ address: ADDRESS }, { address: "0.0.0.0/0" }, { asn: 24940 }, { country: "DE" }])
    expect([given, (await callTool(token, "svc_find_visits", given)).code]).toEqual([
      given,
      seesAddresses ? undefined : "forbidden",
    ]);
});

test("answers contain no places for a person who may not see them", async () => {
  const workspaceId = await createTestWorkspace(db);
  const { account } = await makeDemoData(operator, { workspaceId, days: 5 });
  const told = async (role: Role) => {
    const token = await tokenFor(await createPerson(db, workspaceId, role), workspaceId);
    const { visits } = await foundBy(token, { status: "DECEPTIVE" });
    const answers: unknown[] = [await foundBy(token), await foundBy(token, { account }), visits];
    for (const { imprint, device } of visits.slice(0, 3)) {
      answers.push((await callTool(token, "svc_explain_report", { imprint })).result);
      answers.push((await callTool(token, "svc_get_device", { device })).result);
    }
    return JSON.stringify(answers);
  };
  const places =
    /\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d|2001:db8|Example Cloud|AS645\d\d|by_country|country_code/;
  expect(await told("owner")).toMatch(places);
  expect(await told("analyst")).not.toMatch(places);
});

test("a change of the person's role takes effect on the next call", async () => {
  const { workspaceId, imprint } = await visited();
  const person = await createPerson(db, workspaceId, "admin");
  const token = await tokenFor(person, workspaceId);
  expect((await foundBy(token, { address: ADDRESS })).visits).toHaveLength(1);
  await setMemberRole(operator, { workspaceId, userId: person.userId, role: "analyst" });
  expect((await callTool(token, "svc_find_visits", { address: ADDRESS })).code).toBe("forbidden");
  const { result } = await callTool(token, "svc_explain_report", { imprint });
  expect(JSON.stringify(result)).not.toMatch(PLACES);
});

test("accounts require their scope and their plan", async () => {
  const { site, workspaceId, imprint, token } = await visited();
  const { device } = (await foundBy(token)).visits[0] ?? {};
  expect((await callTool(token, "svc_get_device", { device })).result.structuredContent).toMatchObject({
    account_count: 1,
  });
  const lite = await tokenFor(await createPerson(db, workspaceId), workspaceId, ["svc.report.lite"]);
  const refused = await callTool(lite, "svc_find_visits", { account: "user-17" });
  expect([refused.status, refused.challenge]).toEqual([403, expect.stringContaining('scope="svc.report.pro"')]);
  expect(await foundBy(lite, { account: null })).toMatchObject({ total: 1 });
  for (const [name, given] of [
    ["svc_explain_report", { imprint }],
    ["svc_get_device", { device }],
  ] as const)
    expect(JSON.stringify((await callTool(lite, name, given)).result)).not.toMatch(/acc_/);
  await setPlan(operator, { workspaceId: site.workspaceId, plan: "lite" });
  expect((await callTool(token, "svc_find_visits", { account: "user-17" })).code).toBe("account_map_not_allowed");
  expect((await callTool(token, "svc_get_device", { device })).result.structuredContent).toMatchObject({
    not_shown: ["accounts: Account Map is not part of this plan"],
  });
});

test("each analyst tool requires a Report scope; other scopes are not enough", async () => {
  const { workspaceId, imprint } = await visited();
  const narrow = await tokenFor(await createPerson(db, workspaceId), workspaceId, [
    "svc.history.read",
    "svc.usage.read",
  ]);
  for (const [name, given] of [
    ["svc_find_visits", {}],
    ["svc_explain_report", { imprint }],
    ["svc_get_device", { device: newId("device") }],
  ] as const) {
    const { status, challenge } = await callTool(narrow, name, given);
    expect([name, status, challenge]).toEqual([name, 403, expect.stringContaining('scope="svc.report.lite"')]);
  }
});

test("if the workspace logs who opens Reports, an explanation is logged with its client and person", async () => {
  const { workspaceId, imprint, token } = await visited();
  await setViewLog(operator, { workspaceId, isOn: true });
  await callTool(token, "svc_explain_report", { imprint });
  const { entries } = await listAudit(operator, { workspaceId, filter: { action: "report" } });
  expect(entries).toMatchObject([
    {
      action: "report.view",
      target: imprint,
      actorKind: "oauthClient",
      detail: { addresses: true, userId: expect.stringMatching(/^usr_/) as string },
    },
  ]);
});

const REFUSED: [object, RegExp][] = [
  [{ address: "nowhere" }, /Expected an address/],
  [{ device: "dev_1" }, /dev_ and 32 hex digits/],
  [{ account: "ada@example.com" }, /e-mail address/],
  [{ reason: "BAD" }, /reason/],
  [{ country: "Germany" }, /two letters/],
  [{ asn: -1 }, /asn/],
  [{ limit: 41 }, /limit/],
  [{ cursor: "1~2" }, /cursor/],
  [{ from: "yesterday" }, /YYYY-MM-DD/],
  [{ from: "2026-02-02", to: "2026-02-01" }, /before to/],
  [{ from: "2020-01-01", to: "2026-01-01" }, /400 days/],
  [{ from: "0000-01-01", to: "0000-01-02" }, /not a valid day|YYYY/],
];

test("invalid arguments are refused with what is expected", async () => {
  const { token } = await visited();
  for (const [given, text] of REFUSED) {
    const { status, result } = await callTool(token, "svc_find_visits", given);
    expect([given, status, result.isError]).toEqual([given, 200, true]);
    expect(result.content?.[0]?.text).toMatch(text);
  }
  for (const day of ["0001-01-01", "9999-12-31"])
    expect(await foundBy(token, { from: day, to: day })).toMatchObject({ total: 0, visits: [] });
  expect(await foundBy(token, { asn: "24940", limit: "3", status: null })).toMatchObject({ total: 0 });
});
