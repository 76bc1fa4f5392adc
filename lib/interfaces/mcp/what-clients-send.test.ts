import { expect, test } from "vitest";

import { setMemberRole } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import { createPerson, send } from "@/test/oauth";
import { createSite, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { callTool, message, tokenFor } from "./testing";

const { db } = await createTestDatabase();
const site = await createSite(db);
const { workspaceId } = site;
const token = await tokenFor(await createPerson(db, workspaceId), workspaceId);
const operator = operatorContext(db);
const EITHER = "application/json, text/event-stream";

test("a year of usage is grouped by month, or by week or day on request, without empty periods", async () => {
  await callTool(token, "svc_get_report", { imprint: (await visit(site)).imprint });
  const year = { from: "2026-01-01", to: "2026-12-31" };
  const stepsOf = async (given: object) => {
    const { result } = await callTool(token, "svc_get_usage", { ...year, ...given });
    expect((result.content?.[0]?.text ?? "").length).toBeLessThan(4_000);
    const { granularity, periods } = result.structuredContent as { granularity: string; periods: { units: number }[] };
    expect(periods.length).toBeGreaterThan(0);
    expect(periods.every(({ units }) => units > 0)).toBe(true);
    return granularity;
  };
  expect([await stepsOf({}), await stepsOf({ granularity: "week" }), await stepsOf({ granularity: "day" })]).toEqual([
    "month",
    "week",
    "day",
  ]);
});

test("null counts as an omitted argument and digits in a string as a number; anything else is refused", async () => {
  const { imprint: seen } = await visit(site);
  const read = async (given: object) => await callTool(token, "svc_get_history", { imprint: seen, ...given });
  expect((await read({ days: "7", recent: "0", from: null, to: null })).result.structuredContent).toMatchObject({
    range: { days: 7 },
    recent: [],
  });
  expect((await callTool(token, "svc_get_report", { imprint: seen, account_ref: null })).code).toBeUndefined();
  for (const days of ["7.5", "-1", "", " 7", "9".repeat(16), "1e1", true, [7]])
    expect([days, (await read({ days })).code]).toEqual([days, "invalid_request"]);
  expect((await callTool(token, "svc_get_report", { imprint: null })).code).toBe("invalid_request");
  expect((await callTool(token, "svc_get_report", { imprint: seen, constructor: "1" })).code).toBe("invalid_request");
});

/** A message of the older protocol version, as text that a custom client might write. */
async function post(body: string, headers: Record<string, string> = {}) {
  const own = await tokenFor(await createPerson(db, workspaceId), workspaceId);
  const known = { "content-type": "application/json", authorization: `Bearer ${own}` };
  return await send("/mcp", { method: "POST", headers: { ...known, accept: EITHER, ...headers }, body });
}

test.each([
  ["ping", "null"],
  ["tools/list", "null"],
  ["tools/list", '{"cursor":null}'],
  ["tools/list", '{"_meta":null}'],
  ["tools/list", '{"_meta":{"progressToken":null}}'],
  ["tools/call", '{"name":"svc_get_usage","arguments":null}'],
  ["prompts/get", '{"name":"weekly_review","arguments":null}'],
  ["prompts/get", '{"name":"investigate_attack","arguments":{"about":null,"from":"2026-01-31"}}'],
])("null members of a message count as omitted: %s with %s", async (method, params) => {
  const response = await post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.stringContaining('"result"')]);
  expect(text).not.toContain('"isError"');
});

test("a notification may have null params; other params that are not an object are refused", async () => {
  expect((await post('{"jsonrpc":"2.0","method":"notifications/initialized","params":null}')).status).toBe(202);
  for (const params of ["[]", '"x"', "7"])
    expect((await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`)).status).toBe(400);
  const listed = await post(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_get_usage","arguments":[]}}',
  );
  expect(await listed.text()).toContain('"code":-32602');
});

test.each(["null", '"\\u0041"', "1"])(
  "an extremely nested message is refused as such, with %s inside",
  async (inner) => {
    const deep = `${"[".repeat(60_000)}${inner}${"]".repeat(60_000)}`;
    const response = await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":${deep}}}}`);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("nested too deeply")]);
  },
);

test.each(["", "*/*", "application/*, text/*", "text/html, */*;q=0.8", "Application/JSON, Text/Event-Stream"])(
  "a client with Accept: %j accepts both media types",
  async (accept) => {
    expect((await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { accept })).status).toBe(200);
  },
);

test.each(["application/json", "text/event-stream", "text/html", "text/*"])(
  "a client that accepts only %j is told which two types it must accept",
  async (accept) => {
    const response = await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { accept });
    expect([response.status, await response.text()]).toEqual([406, expect.stringContaining("text/event-stream")]);
  },
);

test("the URL with a trailing slash answers the same", async () => {
  const asked = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  const [plain, slashed] = [await send("/mcp", asked), await send("/mcp/", asked)];
  expect([slashed.status, slashed.headers.get("www-authenticate")]).toEqual([
    plain.status,
    plain.headers.get("www-authenticate"),
  ]);
});

test("tools that a person's role cannot use are not listed, and refuse a call in the result", async () => {
  const namesFor = async (own: string) => {
    const { result } = (await (await message(own, { method: "tools/list" })).json()) as {
      result: { tools: { name: string }[] };
    };
    return result.tools.map(({ name }) => name);
  };
  const member = await createPerson(db, workspaceId, "admin");
  const own = await tokenFor(member, workspaceId);
  const all = await namesFor(own);
  expect(all).toContain("svc_get_report");
  await setMemberRole(operator, { workspaceId, userId: member.userId, role: "analyst" });
  expect(await namesFor(own)).toEqual(all.filter((name) => name !== "svc_get_report"));
  await setMemberRole(operator, { workspaceId, userId: member.userId, role: "developer" });
  const listed = await namesFor(own);
  const nobody = "0".repeat(32);
  for (const name of all) {
    const given = { svc_get_usage: {}, svc_find_visits: {}, svc_get_device: { device: `dev_${nobody}` } }[name] ?? {
      imprint: `imp_${nobody}`,
    };
    const { status, code } = await callTool(own, name, given);
    expect([name, status, code === "forbidden"]).toEqual([name, 200, !listed.includes(name)]);
  }
});
