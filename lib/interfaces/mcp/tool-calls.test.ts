import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { JOBS } from "@/lib/operations/jobs";
import {
  authenticateToken,
  flushToolCalls,
  listClients,
  listToolCalls,
  recordToolCall,
  type ToolCallFilter,
} from "@/lib/interfaces/oauth";
import { createPerson } from "@/test/oauth";
import { idToUuid, newId } from "@/lib/contract/ids";
import { createSite, visit } from "@/test/visits";
import { setRetention } from "@/lib/tenancy/workspaces";
import { contextOf, operatorContext } from "@/test/workspaces";
import { callTool, tokenFor } from "./testing";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const unknown = `imp_${"0".repeat(32)}`;

async function connected() {
  const site = await createSite(db);
  const { workspaceId } = site;
  const person = await createPerson(db, workspaceId);
  return { site, workspaceId, person, token: await tokenFor(person, workspaceId) };
}

async function logOf(workspaceId: string, filter: ToolCallFilter = {}) {
  await flushToolCalls();
  return (await listToolCalls(operator, { workspaceId, isAll: true, filter })).calls;
}

const told = ({ tool, imprint, code }: { tool: string; imprint: string | null; code: string }) => [tool, imprint, code];

test("each call is logged with tool, imprint, outcome, duration, client and person, and no other arguments", async () => {
  const { site, workspaceId, person, token } = await connected();
  const { imprint } = await visit(site);
  const calling: [string, object][] = [
    ["svc_get_report", { imprint, account_ref: "customer-4711" }],
    ["svc_get_report", { imprint: unknown }],
    ["svc_get_history", { imprint: "imp_secret-text", days: 3 }],
    ["svc_get_usage", {}],
    ["svc_no_such_tool", { imprint }],
  ];
  for (const [tool, given] of calling) {
    await callTool(token, tool, given);
    // Ordered by write, each stamped by the database's clock.
    await flushToolCalls();
  }
  const calls = await logOf(workspaceId);
  expect(calls.map(told)).toEqual([
    ["svc_get_usage", null, ""],
    ["svc_get_history", null, "invalid_request"],
    ["svc_get_report", unknown, "report_not_found"],
    ["svc_get_report", imprint, ""],
  ]);
  for (const call of calls) {
    expect(call).toMatchObject({ userId: person.userId, clientName: "Test client" });
    expect(call.durationMs).toBeGreaterThanOrEqual(0);
    expect(call.requestId).toMatch(/^req_/);
  }
  const rows = await db.execute(sql`select * from tool_calls where workspace_id = ${idToUuid(workspaceId)}::uuid`);
  expect(JSON.stringify(rows)).not.toMatch(/customer-4711|secret-text/);
  const [client] = await listClients(operator, { workspaceId, isAll: true });
  expect([client?.lastTool, client?.lastCalledAt?.getTime()]).toEqual(["svc_get_usage", calls[0]?.calledAt.getTime()]);
});

test("a call without its scope is logged, and calls over the rate limit once for many", async () => {
  const { workspaceId, person } = await connected();
  const narrow = await tokenFor(person, workspaceId, ["svc.usage.read"]);
  await callTool(narrow, "svc_get_report", { imprint: unknown });
  expect((await logOf(workspaceId)).map(told)).toEqual([["svc_get_report", null, "insufficient_scope"]]);
  // More than the burst plus the refill of five seconds.
  const called = await Promise.all(Array.from({ length: 90 }, () => callTool(narrow, "svc_get_usage")));
  const refused = called.filter(({ code }) => code === "rate_limited").length;
  const logged = (await logOf(workspaceId, { outcome: "rate_limited" })).length;
  expect(logged).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(5 * logged);
  const principal = await authenticateToken(db, narrow);
  for (let count = 0; count < 8; count += 1) {
    const call = { tool: "svc_get_usage", durationMs: 0, requestId: newId("request") };
    recordToolCall(principal, { ...call, code: "rate_limited" });
  }
  expect(await logOf(workspaceId, { outcome: "rate_limited" })).toHaveLength(logged + 1);
});

test("the log can be paged and filtered; managers see all of it, others only their own calls", async () => {
  const { workspaceId, person, token } = await connected();
  const analyst = await createPerson(db, workspaceId, "analyst");
  const own = await tokenFor(analyst, workspaceId, ["svc.usage.read"]);
  for (let count = 0; count < 3; count += 1) await callTool(token, "svc_get_usage");
  await callTool(own, "svc_get_usage");
  await callTool(token, "svc_get_report", { imprint: unknown });
  await flushToolCalls();
  const all = await logOf(workspaceId);
  expect(all).toHaveLength(5);
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = await listToolCalls(operator, { workspaceId, isAll: true, limit: 2, cursor });
    pages.push(...page.calls);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(pages).toEqual(all);
  const sizes = async (filter: ToolCallFilter) => (await logOf(workspaceId, filter)).length;
  const now = new Date(all[0]?.calledAt.getTime() ?? 0);
  expect([
    await sizes({ tool: "svc_get_usage" }),
    await sizes({ userId: analyst.userId }),
    await sizes({ imprint: unknown }),
    await sizes({ imprint: "imp_" }),
    await sizes({ outcome: "answered" }),
    await sizes({ outcome: "refused" }),
    await sizes({ outcome: "report_not_found" }),
    await sizes({ clientId: all[0]?.clientId }),
    await sizes({ from: new Date(now.getTime() + 1000) }),
    await sizes({ to: new Date(now.getTime() + 1000) }),
  ]).toEqual([4, 1, 1, 0, 4, 1, 1, 4, 0, 5]);

  const asAnalyst = contextOf(db, { kind: "user", ...analyst, isOperator: false });
  const mine = await listToolCalls(asAnalyst, { workspaceId, isAll: false, filter: { userId: person.userId } });
  expect(mine.calls.map(({ userId }) => userId)).toEqual([analyst.userId]);
  await expect(listToolCalls(asAnalyst, { workspaceId, isAll: true })).rejects.toMatchObject({ code: "forbidden" });
  const foreign = contextOf(db, { kind: "user", userId: "usr_0", email: "a@example.com", isOperator: false });
  await expect(listToolCalls(foreign, { workspaceId, isAll: false })).rejects.toMatchObject({ code: "not_found" });
  for (const wrong of ["", "x", "aud"])
    await expect(listToolCalls(operator, { workspaceId, isAll: true, cursor: wrong })).rejects.toMatchObject({
      code: "invalid_request",
    });
});

test("calls are deleted after 90 days, or earlier with the visits of a workspace with a shorter retention", async () => {
  const [long, short] = [await connected(), await connected()];
  await setRetention(operator, { workspaceId: short.workspaceId, days: 10 });
  const job = JOBS.find(({ name }) => name === "delete-old-tool-calls");
  const kept = async (age: number) => {
    for (const { workspaceId, token } of [long, short]) {
      await callTool(token, "svc_get_usage");
      await flushToolCalls();
      await db.execute(sql`update tool_calls set called_at = clock_timestamp() - make_interval(days => ${age})
        where workspace_id = ${idToUuid(workspaceId)}::uuid`);
    }
    await job?.run({
      ...{ db, now: new Date(), signal: new AbortController().signal, progress: "" },
      saveProgress: () => Promise.resolve(),
    });
    const counts = [(await logOf(long.workspaceId)).length, (await logOf(short.workspaceId)).length];
    await db.execute(sql`delete from tool_calls`);
    return counts;
  };
  expect([await kept(9), await kept(11), await kept(91)]).toEqual([
    [1, 1],
    [1, 0],
    [0, 0],
  ]);
});
