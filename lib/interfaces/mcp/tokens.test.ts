import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";

import { newId } from "@/lib/contract/ids";
import { insertUsageDays } from "@/lib/metering";
import { makeDemoData } from "@/lib/operations/demo";
import { createTestDatabase } from "@/test/database";
import { createPerson } from "@/test/oauth";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { MAX_ANSWER_TOKENS } from "./domain/answer-size";
import { callTool, message, tokenFor } from "./testing";

/** Tokens of a text, in the vocabulary of a widely used model. */
const tokensOf = (value: unknown) => encode(typeof value === "string" ? value : JSON.stringify(value)).length;

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db, "enterprise");
const { account } = await makeDemoData(operatorContext(db), { workspaceId, days: 30 });
const token = await tokenFor(await createPerson(db, workspaceId), workspaceId);

type Found = { visits: { imprint: string; device: string }[]; next?: string; total?: number };
const textOf = async (name: string, given: object): Promise<string> =>
  (await callTool(token, name, given)).result.content?.[0]?.text ?? "";
const find = async (given: object) => JSON.parse(await textOf("svc_find_visits", given)) as Found;
const resultOf = async (method: string) =>
  ((await (await message(token, { method })).json()) as { result: Record<string, unknown> }).result;

test("the tool list takes fewer than 3,000 tokens, the prompt list fewer than 500", async () => {
  expect(tokensOf((await resultOf("tools/list"))["tools"])).toBeLessThan(3_000);
  expect(tokensOf((await resultOf("prompts/list"))["prompts"])).toBeLessThan(500);
});

test("each typical answer takes fewer than 1,000 tokens", async () => {
  const [odd] = (await find({ status: "DECEPTIVE" })).visits;
  const [farm] = (await find({ reason: "AUTOMATION_DETECTED", country: "NL" })).visits;
  const [own] = (await find({ account })).visits;
  const { imprint } = odd ?? {};
  const calls: [string, object][] = [
    ["svc_find_visits", {}],
    ["svc_find_visits", { account }],
    ["svc_find_visits", { status: "DECEPTIVE" }],
    ["svc_find_visits", { address: "203.0.113.0/24", limit: 0 }],
    ["svc_explain_report", { imprint }],
    ["svc_get_device", { device: odd?.device }],
    ["svc_get_device", { device: farm?.device }],
    ["svc_get_report", { imprint }],
    ["svc_get_report", { imprint: own?.imprint, account_ref: account }],
    ["svc_get_history", { imprint }],
    ["svc_get_usage", {}],
    ["svc_get_usage", { from: "2026-01-01", to: "2026-12-31" }],
  ];
  for (const [name, given] of calls) {
    const text = await textOf(name, given);
    expect([name, given, text.includes('"error"'), tokensOf(text) < 1_000]).toEqual([name, given, false, true]);
  }
});

test("the largest list fits, and paging through a list returns every visit once", async () => {
  expect(tokensOf(await textOf("svc_find_visits", { limit: 40 }))).toBeLessThan(MAX_ANSWER_TOKENS);
  const given = { status: "DECEPTIVE", limit: 40, to: new Date().toISOString() };
  const { total } = await find({ ...given, limit: 0 });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await find({ ...given, ...(cursor !== undefined && { cursor }) });
    seen.push(...page.visits.map(({ imprint }) => imprint));
    cursor = page.next;
  } while (cursor !== undefined);
  expect([seen.length, new Set(seen).size]).toEqual([total, total]);
});

test("a year of daily usage is cut at the size limit and can be continued from there", async () => {
  const own = await createTestWorkspace(db, "enterprise");
  const webAppId = newId("webApp");
  const days = Array.from({ length: 365 }, (_, index) =>
    new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
  );
  const counted = (day: string, outcome: string) =>
    ({ workspaceId: own, day, webAppId, keyId: null, operation: "readReport", outcome, calls: 7, units: 3 }) as const;
  await insertUsageDays(
    db,
    days.flatMap((day) => [counted(day, "delivered"), counted(day, "reread")]),
  );
  const asOwner = await tokenFor(await createPerson(db, own), own);
  type Usage = { periods: { from: string }[]; more?: { from: string; to: string } };
  const seen: string[] = [];
  let range: object | undefined = { from: "2025-01-01", to: "2025-12-31" };
  let calls = 0;
  while (range) {
    const { result } = await callTool(asOwner, "svc_get_usage", { ...range, granularity: "day" });
    expect(tokensOf(result.content?.[0]?.text)).toBeLessThan(MAX_ANSWER_TOKENS);
    const { periods, more } = result.structuredContent as Usage;
    seen.push(...periods.map(({ from }) => from));
    range = more;
    calls += 1;
  }
  expect([seen, calls > 1]).toEqual([days, true]);
});
