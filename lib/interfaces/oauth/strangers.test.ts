import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { listClients, revokeClient, setRedirectRules } from "./index";
import {
  authorizationUrl,
  BASE,
  CALLBACK,
  connect,
  createPerson,
  pkce,
  post,
  register,
  ScriptedBrowser,
  send,
} from "@/test/oauth";

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);
const person = await createPerson(db, workspaceId);

const EVIL = "https://evil.example/cb";
const ask = (clientId: string, redirectUri: string, extra: Record<string, string>) =>
  authorizationUrl({ clientId, challenge: pkce().challenge, redirectUri, extra });

/** Requests that fail before the person sees a consent page. */
const FAILURES: [string, Record<string, string>][] = [
  ["prompt=none", { prompt: "none" }],
  ["prompt=none in a fragment", { prompt: "none", response_mode: "fragment" }],
  ["prompt=none in a form", { prompt: "none", response_mode: "form_post" }],
  ["an unknown response mode", { response_mode: "web_message" }],
  ["no challenge", { code_challenge: "", code_challenge_method: "" }],
  ["the plain method", { code_challenge_method: "plain" }],
  ["another response type", { response_type: "token" }],
  ["an unknown prompt", { prompt: "none login" }],
  ["another resource", { resource: "https://elsewhere.example/mcp" }],
  ["a request object", { request: "x.y.z" }],
  ["max_age that is no number", { max_age: "-1" }],
  ["an id token of nobody", { id_token_hint: "x" }],
];

test.each(FAILURES)("%s of an unapproved client is shown on a page, signed in or not", async (_name, extra) => {
  const clientId = await register({ redirect_uris: [EVIL] });
  const url = ask(clientId, EVIL, extra);
  const form = Object.fromEntries(new URL(url, "http://localhost").searchParams);
  const posted = await post("/oauth/authorize", form, { accept: "text/html" });
  expect([posted.status >= 400, posted.headers.get("location")]).toEqual([true, null]);
  for (const response of [
    await new ScriptedBrowser(person.cookie).open(url),
    await new ScriptedBrowser("").open(url),
    await send(url),
  ]) {
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(response.headers.get("content-security-policy")).toContain("form-action 'none'");
    const body = await response.text();
    expect(body).toContain("The client’s request was refused");
    expect(body).not.toMatch(/evil\.example|<script|<form/);
  }
});

test("the URL that resumes after a decision does not redirect if there was no decision", async () => {
  const clientId = await register({ redirect_uris: [EVIL] });
  const { search } = new URL(ask(clientId, EVIL, {}), "http://localhost");
  const browser = new ScriptedBrowser(person.cookie);
  const path = await browser.start(ask(clientId, EVIL, {}));
  for (const uid of ["x".repeat(43), "%2Fa", path.split("/").at(-1) ?? ""]) {
    const response = await browser.open(`/oauth/authorize/${uid}${search}`);
    expect([uid, response.headers.get("location") ?? ""]).toEqual([uid, expect.not.stringContaining("evil.example")]);
  }
});

test("once a person has approved a client, its errors are sent to it, at that address and on any loopback port", async () => {
  const other = "http://localhost:9999/other";
  const clientId = await register({ redirect_uris: [CALLBACK, other] });
  await connect({ workspaceId, cookie: person.cookie, clientId });
  const locationOf = async (uri: string) =>
    (await send(ask(clientId, uri, { prompt: "none" }))).headers.get("location");
  expect(await locationOf(CALLBACK)).toContain(`${CALLBACK}?error=`);
  expect(await locationOf("http://localhost:50123/callback")).toContain("http://localhost:50123/callback?error=");
  expect(await locationOf(other)).toBeNull();
});

test("the approval does not extend to other clients, and ends with the client's last connection", async () => {
  const { clientId } = await connect({ workspaceId, cookie: person.cookie });
  const stranger = await register();
  expect((await send(ask(stranger, CALLBACK, { prompt: "none" }))).status).toBe(400);
  expect((await send(ask(clientId, CALLBACK, { prompt: "none" }))).status).toBe(303);
  const operator = operatorContext(db);
  for (const { grantId } of await listClients(operator, { workspaceId, isAll: true }))
    await revokeClient(operator, { workspaceId, grantId });
  expect((await send(ask(clientId, CALLBACK, { prompt: "none" }))).status).toBe(400);
});

test("a client registered with a system scheme under an earlier version can be neither allowed nor refused", async () => {
  const clientId = await register();
  const uri = "search-ms:query=x&crumb=location:%5C%5Cevil.example";
  await db.execute(sql`
    update oauth_records set payload = jsonb_set(payload, '{redirect_uris}', ${JSON.stringify([uri])}::jsonb)
    where model = 'Client' and record_id = ${clientId}`);
  const browser = new ScriptedBrowser(person.cookie);
  const path = await browser.start(ask(clientId, uri, {}));
  for (const decision of ["allow", "deny"]) {
    const answer = await browser.decide(path, [
      ["decision", decision],
      ["workspace", workspaceId],
      ["scope", "svc.usage.read"],
    ]);
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
  }
  expect((await send(ask(clientId, uri, { prompt: "none" }))).headers.get("location")).toBeNull();
});

const tryToRegister = async (uri: string) =>
  (
    await send("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: "x", redirect_uris: [uri] }),
    })
  ).status;

test("an unknown scheme can be registered once the operator approves it, a system scheme never", async () => {
  expect(await tryToRegister("myagent://cb")).toBe(400);
  const operator = operatorContext(db);
  await setRedirectRules(operator, { rules: ["myagent:"] });
  try {
    expect(await tryToRegister("myagent://cb")).toBe(201);
    await expect(setRedirectRules(operator, { rules: ["ms-msdt:"] })).rejects.toMatchObject({
      code: "invalid_request",
    });
  } finally {
    await setRedirectRules(operator, { rules: [] });
  }
});

const HOSTILE = ["a\u0000b", "\ud800", "x".repeat(30_000)];

test.each(["state", "ui_locales", "nonce", "scope", "client_id", "redirect_uri", "prompt", "resource", "login_hint"])(
  "no value of %s causes a server error, in the query or in a form",
  async (name) => {
    const clientId = await register();
    for (const value of HOSTILE) {
      const url = new URL(ask(clientId, CALLBACK, {}), "http://localhost");
      url.searchParams.set(name, value);
      const answers = [
        await send(url.pathname + url.search),
        await post("/oauth/authorize", Object.fromEntries(url.searchParams)),
        await post("/oauth/token", { grant_type: "authorization_code", [name]: value }),
        await post("/oauth/revoke", { token: value, [name]: value }),
      ];
      for (const { status } of answers) expect(status).toBeLessThan(500);
    }
  },
);

test.each([
  ["client_name", "a\u0000b"],
  ["client_name", "\ud800"],
  ["redirect_uris", ["https://a.example/\ud800"]],
  ["contacts", ["\u0000"]],
  ["software_id", "\udc00"],
  ["software_id", { deep: ["\u0000"] }],
])("a registration whose %s is %j is refused with an OAuth error", async (name, value) => {
  const response = await send("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "x", redirect_uris: ["https://a.example/cb"], [name]: value }),
  });
  expect([response.status, await response.json()]).toMatchObject([400, { error: expect.any(String) as string }]);
});

test("a decision with a malformed session cookie, or a form that cannot be read, is refused", async () => {
  const clientId = await register();
  const browser = new ScriptedBrowser("authjs.session-token=%E0%A4%A");
  const path = await browser.start(ask(clientId, CALLBACK, {}));
  const answer = await browser.decide(path, [["decision", "allow"]]);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, expect.stringContaining("/sign-in?next=")]);
  const signedIn = new ScriptedBrowser(person.cookie);
  const waiting = await signedIn.start(ask(clientId, CALLBACK, {}));
  for (const workspace of ["\u0000", "ws_\ud800", "x".repeat(500)])
    expect(
      (
        await signedIn.decide(waiting, [
          ["decision", "allow"],
          ["workspace", workspace],
        ])
      ).status,
    ).toBeLessThan(500);
});

test.each(["allow", "deny"])(
  "a page drawn for another person does not decide, and is shown again: %s",
  async (decision) => {
    const browser = new ScriptedBrowser(person.cookie);
    const path = await browser.start(ask(await register(), CALLBACK, {}));
    const form: [string, string][] = [
      ["scope", "svc.usage.read"],
      ["workspace", workspaceId],
      ["decision", decision],
    ];
    const other = await createPerson(db, workspaceId);
    const refused = await browser.decide(path, [...form, ["person", other.userId]]);
    expect(refused.headers.get("location")).toBe(`${BASE}${path}?person=changed`);
    const outcome = decision === "allow" ? "code" : "error";
    const callback = await browser.follow(await browser.decide(path, [...form, ["person", person.userId]]));
    expect(callback.searchParams.has(outcome)).toBe(true);
  },
);
