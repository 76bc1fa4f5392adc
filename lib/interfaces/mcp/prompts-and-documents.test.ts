import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createPerson, send } from "@/test/oauth";
import { createTestWorkspace } from "@/test/workspaces";
import { MARKDOWN_PAGES } from "@/app/(site)/docs/markdown";
import { splitDocument } from "./domain/split-document";
import { estimateTokens, MAX_ANSWER_TOKENS } from "./domain/answer-size";
import { message, tokenFor } from "./testing";

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);
const person = await createPerson(db, workspaceId, "analyst");

/** The limit of a single client is lower than what these tests need. */
const BURST = 15;
let [token, asked] = ["", 0];
async function anyToken(): Promise<string> {
  if (asked % BURST === 0) token = await tokenFor(person, workspaceId);
  asked += 1;
  return token;
}

type Result = Record<string, unknown> & { error?: { code: number } };
async function ask(method: string, params: Record<string, unknown> = {}, name?: string): Promise<Result> {
  const response = await message(await anyToken(), { method, params, ...(name !== undefined && { name }) });
  const body = (await response.json()) as { result?: Record<string, unknown>; error?: { code: number } };
  return body.result ?? { ...(body.error && { error: body.error }) };
}
const textOf = (result: Result) => JSON.stringify(result["messages"]);
const prompt = (name: string, given: Record<string, string> = {}) =>
  ask("prompts/get", { name, arguments: given }, name);

test("three prompts name the tools in order, with the person's arguments", async () => {
  const { prompts } = await ask("prompts/list");
  expect(prompts).toMatchObject([
    { name: "investigate_lockout", arguments: [{ name: "account", required: true }, { name: "when" }] },
    { name: "investigate_attack" },
    { name: "weekly_review" },
  ]);
  const { tools } = (await ask("tools/list")) as { tools: { name: string }[] };
  const known = [...tools.map(({ name }) => name), "svc_get_report"];
  const texts = [
    textOf(await prompt("investigate_lockout", { account: "user-17", when: "yesterday" })),
    textOf(await prompt("investigate_attack", { about: "203.0.113.0/24" })),
    textOf(await prompt("investigate_attack")),
    textOf(await prompt("weekly_review")),
  ];
  for (const text of texts) {
    const named = [...text.matchAll(/svc_[a-z_]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  }
  expect(texts[0]).toMatch(/user-17.*yesterday/);
  expect((await prompt("investigate_lockout")).error?.code).toBe(-32602);
});

test("every documentation page is a resource, with the same text as at its URL", async () => {
  const { resources } = (await ask("resources/list")) as { resources: { uri: string; name: string }[] };
  expect(resources.length).toBeGreaterThan(20);
  for (const { uri } of resources) {
    const { contents } = (await ask("resources/read", { uri }, uri)) as {
      contents: { text: string; mimeType: string }[];
    };
    const whole = (await MARKDOWN_PAGES[new URL(uri).pathname.replace(/\.md$/, "")]?.()) ?? "";
    expect([uri, contents[0]?.mimeType]).toEqual([uri, "text/markdown"]);
    expect([uri, contents[0]?.text.startsWith(splitDocument(whole)[0] ?? "-")]).toEqual([uri, true]);
  }
  const uri = "http://localhost:3000/docs/errors/report_not_found.md";
  expect(JSON.stringify(await ask("resources/read", { uri }, uri))).toContain("What to do");
});

test.each([
  "http://localhost:3000/docs/nothing.md",
  "http://localhost:3000/docs/risk.md?part=99",
  "http://localhost:3000/docs/risk.md?part=0",
  "http://localhost:3000/docs/..%2F..%2Fpackage.json.md",
  "http://localhost:3000/docs/errors/none.md",
  "http://evil.example/docs/risk.md",
  "file:///etc/passwd",
])("%s is not a resource", async (uri) => {
  expect((await ask("resources/read", { uri }, uri)).error).toMatchObject({ code: expect.any(Number) as number });
});

test("a page too large for one answer is read in parts that add up to the whole", async () => {
  const page = "http://localhost:3000/docs/api.md";
  const whole = (await MARKDOWN_PAGES["/docs/api"]?.()) ?? "";
  expect(estimateTokens(whole)).toBeGreaterThan(MAX_ANSWER_TOKENS);
  let [read, uri] = ["", page as string | undefined];
  while (uri !== undefined) {
    const { contents } = (await ask("resources/read", { uri }, uri)) as { contents: { text: string }[] };
    const text = contents[0]?.text ?? "";
    expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_ANSWER_TOKENS);
    const [, rest, next] = /^([^]*)\n\nPart \d+ of \d+; continued in the resource (\S+)\n$/.exec(text) ?? [];
    read += rest ?? text;
    uri = next;
  }
  expect(read).toBe(whole);
});

test("neither prompts nor documents are available without a token", async () => {
  for (const method of ["prompts/list", "resources/list"])
    expect((await message(undefined, { method })).status).toBe(401);
  expect((await send("/mcp", { method: "GET" })).status).toBe(405);
});

test("the MCP documentation names every tool with its arguments, and every prompt", async () => {
  const page = (await MARKDOWN_PAGES["/docs/mcp"]?.()) ?? "";
  type Listed = { name: string; inputSchema?: { properties: object }; arguments?: { name: string }[] };
  const { tools } = (await ask("tools/list")) as { tools: Listed[] };
  const { prompts } = (await ask("prompts/list")) as { prompts: Listed[] };
  for (const { name, inputSchema, arguments: given = [] } of [...tools, ...prompts]) {
    const [isTold, told = ""] =
      new RegExp(`^(?:\\*\\*|\\| \`)${name}[*\`]+(?: \`\\{(.*?)\\}\`)?`, "m").exec(page) ?? [];
    const names = told.match(/[a-z_]+/g) ?? [];
    expect([name, isTold !== undefined]).toEqual([name, true]);
    const wanted = inputSchema ? Object.keys(inputSchema.properties) : given.map((each) => each.name);
    expect([name, names.filter((each) => each !== "and").sort()]).toEqual([name, wanted.sort()]);
  }
});
