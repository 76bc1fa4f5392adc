import { readFileSync } from "node:fs";

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createPerson, jsonOf, send } from "@/test/oauth";
import { revokeAllClients } from "@/lib/interfaces/oauth";
import { idToUuid } from "@/lib/contract/ids";
import { createSite, readReport, visit } from "@/test/visits";
import { readUsage } from "@/lib/metering";
import { setMemberRole, setPlan } from "@/lib/tenancy/workspaces";
import { operatorContext } from "@/test/workspaces";
import { INSTRUCTIONS, TOOL_NAMES } from "./server";
import { callTool, message, tokenFor } from "./testing";

const { db } = await createTestDatabase();
const site = await createSite(db);
const { workspaceId } = site;
const person = await createPerson(db, workspaceId);
const token = await tokenFor(person, workspaceId);
const operator = operatorContext(db);

const unitsUsed = async () => (await readUsage(operator, { workspaceId })).month.used;

const RESOURCE_METADATA = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"';
const ALL = "svc.report.lite svc.report.pro svc.history.read svc.usage.read";

test("without a token the answer is 401 and says where to get one, and for which scopes", async () => {
  for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Basic x" }]) {
    const response = await message(undefined, { method: "tools/list", headers });
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate");
    expect(challenge).toContain(RESOURCE_METADATA);
    expect(challenge).toContain(`scope="${ALL}"`);
    expect(challenge?.match(/resource_metadata/g)).toHaveLength(1);
    expect(challenge?.includes("error=")).toBe("authorization" in headers);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  }
});

test.each(["GET", "DELETE", "PUT", "OPTIONS"])("%s gets 405 with the error envelope", async (method) => {
  const response = await send("/mcp", { method });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  expect(await jsonOf(response)).toMatchObject({ error: { code: "method_not_allowed" } });
});

test.each(["https://evil.example", "null", "http://localhost.evil.example"])(
  "a page of the origin %s is refused before its token is checked",
  async (origin) => {
    expect((await message(token, { method: "tools/list", headers: { origin } })).status).toBe(403);
  },
);

test("the service's own origin is not refused", async () => {
  const response = await message(token, { method: "tools/list", headers: { origin: "http://localhost:3000" } });
  expect(response.status).toBe(200);
});

type Listed = { name: string; inputSchema: object; outputSchema: object; annotations: object };

test("the tools are listed as read-only, with schemas without references", async () => {
  const { result } = (await (await message(token, { method: "tools/list" })).json()) as { result: { tools: Listed[] } };
  expect(result.tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
  const text = JSON.stringify(result);
  expect(text).not.toContain("$ref");
  expect(text.length).toBeLessThan(13_500);
  for (const { annotations } of result.tools) {
    expect(annotations).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  }
  expect(result.tools[2]).toMatchObject({
    inputSchema: { type: "object", required: ["imprint"], additionalProperties: false },
    outputSchema: { type: "object", properties: { device: { type: "object" }, created_at: { type: "string" } } },
  });
});

test("the instructions and the benchmark's questions name every tool", () => {
  expect(TOOL_NAMES.filter((name) => !INSTRUCTIONS.includes(name))).toEqual([]);
  const questions = readFileSync("scripts/bench/mcp/questions.ts", "utf8");
  expect(TOOL_NAMES.filter((name) => !questions.includes(`client.tool("${name}"`))).toEqual([]);
});

test("a Report is byte for byte the API's, and its first read uses one unit in total", async () => {
  const { imprint } = await visit(site);
  const before = await unitsUsed();
  const { result, code } = await callTool(token, "svc_get_report", { imprint });
  expect(code).toBeUndefined();
  expect(await unitsUsed()).toBe(before + 1);
  const overApi = await (await readReport(site.apiKey, imprint)).text();
  expect(result.content).toEqual([{ type: "text", text: overApi }]);
  expect(result.structuredContent).toEqual(JSON.parse(overApi));
  await callTool(token, "svc_get_report", { imprint });
  expect(await unitsUsed()).toBe(before + 1);
});

test("an account reference is evaluated but not linked: the site's own server may still send any", async () => {
  const { imprint: seen } = await visit(site);
  const given = { imprint: seen, account_ref: "user-17" };
  const before = await unitsUsed();
  const { result } = await callTool(token, "svc_get_report", given);
  await callTool(token, "svc_get_report", { ...given, account_ref: "user-18" });
  expect(await unitsUsed()).toBe(before + 1);
  const overApi = await readReport(site.apiKey, seen, { "x-account-ref": "user-19" });
  expect(overApi.status).toBe(200);
  const report = JSON.parse(await overApi.text()) as object;
  expect(report).toMatchObject({ account_map: { accounts_on_device: 1, devices_on_account: 1 } });
  expect(result.structuredContent).toEqual(report);
  expect(Object.keys(result.structuredContent as object)).toEqual(Object.keys(report));
});

test("an account reference is refused as in the API, without using a unit, if malformed or if the server linked another account", async () => {
  const { imprint } = await visit(site);
  await readReport(site.apiKey, imprint, { "x-account-ref": "user-17" });
  await db.execute(sql`delete from report_deliveries where workspace_id = ${idToUuid(workspaceId)}::uuid`);
  const before = await unitsUsed();
  const refused = async (accountRef: string) =>
    (await callTool(token, "svc_get_report", { imprint, account_ref: accountRef })).code;
  expect([await refused("user-18"), await refused("ada@example.com"), await refused("+4915")]).toEqual([
    "account_ref_conflict",
    "invalid_account_ref",
    "invalid_account_ref",
  ]);
  expect(await unitsUsed()).toBe(before);
  // An empty reference counts as none, like an empty header.
  expect([await refused("user-17"), await refused("")]).toEqual([undefined, undefined]);
});

test("History and usage return structured content equal to the text", async () => {
  const { imprint } = await visit(site, { surface: "checkout" });
  const history = await callTool(token, "svc_get_history", { imprint, days: 2, recent: 1 });
  expect(history.result.structuredContent).toMatchObject({
    imprint,
    range: { days: 2 },
    recent: [{ surface: "checkout" }],
  });
  const usage = await callTool(token, "svc_get_usage", { from: "2026-11-01", to: "2026-11-10" });
  expect(usage.result.structuredContent).toMatchObject({ month: { limit: null }, granularity: "day", total: {} });
  for (const { result } of [history, usage])
    expect(JSON.parse(result.content?.[0]?.text ?? "")).toEqual(result.structuredContent);
});

const REFUSED: [string, string, object, string][] = [
  ["an unknown imprint", "svc_get_report", { imprint: `imp_${"0".repeat(32)}` }, "report_not_found"],
  ["a malformed imprint", "svc_get_report", { imprint: "imp_x" }, "invalid_request"],
  ["no imprint", "svc_get_report", {}, "invalid_request"],
  ["an unknown argument", "svc_get_report", { imprint: `imp_${"0".repeat(32)}`, workspace: "x" }, "invalid_request"],
  [
    "a range without a start",
    "svc_get_history",
    { imprint: `imp_${"0".repeat(32)}`, from: "2026-01-01" },
    "invalid_request",
  ],
  ["too many days", "svc_get_history", { imprint: `imp_${"0".repeat(32)}`, days: 366 }, "invalid_request"],
  ["a device that was never seen", "svc_get_history", { imprint: `imp_${"0".repeat(32)}` }, "report_not_found"],
  ["a range that runs backwards", "svc_get_usage", { from: "2026-02-01", to: "2026-01-01" }, "invalid_request"],
  ["usage from before year 1", "svc_get_usage", { from: "0000-01-01", to: "0000-01-02" }, "invalid_request"],
  [
    "History from before year 1",
    "svc_get_history",
    { imprint: `imp_${"0".repeat(32)}`, from: "0000-12-30", to: "0001-01-01" },
    "invalid_request",
  ],
];

test.each(REFUSED)(
  "%s is refused with an error result that has the envelope and no structured content",
  async (_, name, given, code) => {
    const answer = await callTool(token, name, given);
    expect([answer.status, answer.code]).toEqual([200, code]);
    expect(answer.result).not.toHaveProperty("structuredContent");
  },
);

test.each(["0001-01-01", "9999-12-31"])("a range at the end of the calendar, %s, is empty", async (day) => {
  const own = await tokenFor(person, workspaceId);
  const usage = await callTool(own, "svc_get_usage", { from: day, to: day });
  expect(usage.result.structuredContent).toMatchObject({ range: { from: day, to: day, days: 1 }, total: { calls: 0 } });
  const { imprint } = await visit(site);
  const history = await callTool(own, "svc_get_history", { imprint, from: day, to: day });
  expect(history.result.structuredContent).toMatchObject({ timeline: [{ date: day, count: 0 }] });
});

test.each(["a\u0000b", "\ud800"])("a message that contains %j is refused before it reaches a tool", async (value) => {
  const own = await tokenFor(person, workspaceId);
  for (const given of [{ imprint: value }, { account_ref: value }, { from: value }, { [value]: 1 }]) {
    const response = await message(own, {
      method: "tools/call",
      name: "svc_get_report",
      params: { name: "svc_get_report", arguments: given },
    });
    expect([response.status, await jsonOf(response)]).toMatchObject([400, { error: { code: "invalid_request" } }]);
  }
});

test("another workspace's imprint looks as if it did not exist", async () => {
  const other = await createSite(db);
  const { imprint } = await visit(other);
  const foreign = await callTool(token, "svc_get_report", { imprint });
  const unknown = await callTool(token, "svc_get_report", { imprint: `imp_${"0".repeat(32)}` });
  expect(foreign.result).toEqual(unknown.result);
});

const imprint = `imp_${"0".repeat(32)}`;
const CALLS: [string, object, string][] = [
  ["svc_get_report", { imprint }, "svc.report.lite"],
  ["svc_get_report", { imprint, account_ref: "user-1" }, "svc.report.pro"],
  ["svc_get_history", { imprint }, "svc.history.read"],
  ["svc_get_usage", {}, "svc.usage.read"],
];

test.each(CALLS)("%s with %j but without the scope gets a challenge for exactly %s", async (name, given, scope) => {
  const others = ALL.split(" ").filter((each) => each !== scope && each !== "svc.report.pro");
  const answer = await callTool(await tokenFor(person, workspaceId, others), name, given);
  expect(answer.status).toBe(403);
  expect(answer.challenge).toContain('error="insufficient_scope"');
  expect(answer.challenge).toContain(`scope="${scope}"`);
  expect(answer.challenge).toContain(RESOURCE_METADATA);
});

test("the Account Map scope includes plain Reports", async () => {
  const pro = await tokenFor(person, workspaceId, ["svc.report.pro"]);
  expect((await callTool(pro, "svc_get_report", { imprint })).code).toBe("report_not_found");
});

test("what the plan no longer includes is refused in the result, not with a scope challenge, which would send clients in circles", async () => {
  const shop = await createSite(db);
  const owner = await createPerson(db, shop.workspaceId);
  const ownToken = await tokenFor(owner, shop.workspaceId);
  const seen = await visit(shop);
  await setPlan(operator, { workspaceId: shop.workspaceId, plan: "lite" });
  expect(await callTool(ownToken, "svc_get_history", { imprint: seen.imprint })).toMatchObject({
    status: 200,
    code: "history_not_allowed",
  });
  const given = { imprint: seen.imprint, account_ref: "user-1" };
  expect(await callTool(ownToken, "svc_get_report", given)).toMatchObject({
    status: 200,
    code: "account_map_not_allowed",
  });
  expect((await callTool(ownToken, "svc_get_report", { imprint: seen.imprint })).code).toBeUndefined();
});

test("a person who may no longer see addresses is refused a Report as forbidden, and no unit is used", async () => {
  const analyst = await createPerson(db, workspaceId, "admin");
  const own = await tokenFor(analyst, workspaceId);
  await setMemberRole(operator, { workspaceId, userId: analyst.userId, role: "analyst" });
  const seen = await visit(site);
  const before = await unitsUsed();
  expect(await callTool(own, "svc_get_report", { imprint: seen.imprint })).toMatchObject({
    status: 200,
    code: "forbidden",
  });
  expect(await unitsUsed()).toBe(before);
  expect((await callTool(own, "svc_get_history", { imprint: seen.imprint })).code).toBeUndefined();
});

test("a token for another resource is refused, and so is a revoked one on the next call", async () => {
  const shop = await createSite(db);
  const owner = await createPerson(db, shop.workspaceId);
  const own = await tokenFor(owner, shop.workspaceId);
  expect((await callTool(own, "svc_get_usage")).status).toBe(200);
  const setAudience = (audience: string) =>
    db.execute(sql`update oauth_records r set payload = jsonb_set(payload, '{aud}', to_jsonb(${audience}::text))
      from oauth_connections c where c.grant_id = r.grant_id and c.user_id = ${owner.userId} and model = 'AccessToken'`);
  await setAudience("https://elsewhere.example/mcp");
  expect((await callTool(own, "svc_get_usage")).status).toBe(401);
  await setAudience("http://localhost:3000/mcp");
  expect((await callTool(own, "svc_get_usage")).status).toBe(200);
  await revokeAllClients(operator, { workspaceId: shop.workspaceId, isAll: true });
  expect((await callTool(own, "svc_get_usage")).status).toBe(401);
});

const big = (bytes: number) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { pad: "x".repeat(bytes) } });

test("a body of 6 MB is refused, with or without Content-Length, but only after the token is verified", async () => {
  const post = (headers: Record<string, string>, body: string | ReadableStream) =>
    send("/mcp", { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
  const authorization = `Bearer ${token}`;
  const stream = () => new Blob([big(6_000_000)]).stream();
  expect((await post({ authorization }, big(6_000_000))).status).toBe(413);
  expect((await post({ authorization }, stream())).status).toBe(413);
  expect((await post({}, stream())).status).toBe(401);
});

test("several messages in one body are refused, and so is a body that is not a message", async () => {
  const post = (body: string) =>
    send("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
      },
      body,
    });
  expect((await post(`[${big(1)},${big(1)}]`)).status).toBe(400);
  expect((await post("{")).status).toBe(400);
});

test("a client over its rate limit gets an error result, and other clients are not affected", async () => {
  const shop = await createSite(db);
  const [one, other] = [await createPerson(db, shop.workspaceId), await createPerson(db, shop.workspaceId)];
  const [busy, calm] = [await tokenFor(one, shop.workspaceId), await tokenFor(other, shop.workspaceId)];
  // More than the burst plus the refill of five seconds.
  const burst = Array.from({ length: 70 }, () => callTool(busy, "svc_get_report", { imprint }));
  const listings = Array.from({ length: 70 }, () => message(busy, { method: "tools/list" }));
  const called = (await Promise.all(burst)).map(({ status, code }) => `${status} ${code}`);
  expect([...new Set(called)].sort()).toEqual(["200 rate_limited", "200 report_not_found"]);
  const refused = (await Promise.all(listings)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ headers }) => Number(headers.get("retry-after")) >= 1)).toBe(true);
  expect((await callTool(calm, "svc_get_report", { imprint })).code).toBe("report_not_found");
});

test("the use of a connected client is recorded", async () => {
  const rows = await db.execute<{ used: boolean }>(
    sql`select bool_or(last_used_at is not null) as used from oauth_connections where user_id = ${person.userId}`,
  );
  expect(rows[0]?.used).toBe(true);
});
