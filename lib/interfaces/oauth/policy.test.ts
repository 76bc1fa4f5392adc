import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { listAudit } from "@/lib/tenancy/workspaces";
import { contextOf, createTestWorkspace, operatorContext } from "@/test/workspaces";
import { readMcpPolicy, setRedirectRules, switchMcp } from "./index";
import {
  authorizationUrl,
  CALLBACK,
  connect,
  createPerson,
  jsonOf,
  pkce,
  post,
  refresh,
  register,
  ScriptedBrowser,
  send,
} from "@/test/oauth";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const workspaceId = await createTestWorkspace(db);
const person = await createPerson(db, workspaceId);
const allowAll = () => setRedirectRules(operator, { rules: [] });

afterAll(async () => {
  await switchMcp(operator, { isEnabled: true });
});

const METADATA = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
];

const callMcp = (token?: string) =>
  send("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });

test("while MCP is off, all its endpoints say so; afterwards connections work as before", async () => {
  const connected = await connect({ workspaceId, cookie: person.cookie });
  const browser = new ScriptedBrowser(person.cookie);
  const clientId = await register();
  const waiting = await browser.start(authorizationUrl({ clientId, challenge: pkce().challenge }));
  expect((await callMcp(connected.accessToken)).status).toBe(200);

  await switchMcp(operator, { isEnabled: false });
  for (const token of [undefined, "wrong", connected.accessToken]) {
    const refused = await callMcp(token);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([403, null]);
    expect(await jsonOf(refused)).toMatchObject({ error: { code: "mcp_disabled" } });
  }
  for (const path of METADATA) {
    const refused = await send(path);
    expect([path, refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([path, 403, "*"]);
    expect(refused.headers.get("cache-control")).toBe("no-store");
    expect(await jsonOf(refused)).toMatchObject({ error: { code: "mcp_disabled" } });
  }
  const answers = await Promise.all([
    refresh(connected.clientId, connected.refreshToken),
    post("/oauth/revoke", { client_id: connected.clientId, token: connected.refreshToken }),
    send("/oauth/register", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }),
    send("/oauth/jwks"),
    send(authorizationUrl({ clientId, challenge: pkce().challenge })),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(403);
    expect(await jsonOf(answer)).toMatchObject({ error: "access_denied" });
  }
  const decision = await browser.decide(waiting, [["decision", "allow"]]);
  expect([decision.status, await decision.text()]).toEqual([403, expect.stringContaining("switched MCP off")]);

  await switchMcp(operator, { isEnabled: true });
  expect((await callMcp(connected.accessToken)).status).toBe(200);
  expect((await refresh(connected.clientId, connected.refreshToken)).status).toBe(200);
  expect((await send(METADATA[0] ?? "")).status).toBe(200);
});

test("with rules, only approved addresses can be registered, or receive a code for clients registered earlier", async () => {
  const early = await register({ redirect_uris: ["https://evil.example/cb"] });
  const { challenge } = pkce();
  const start = async () => {
    const browser = new ScriptedBrowser(person.cookie);
    const redirectUri = "https://evil.example/cb";
    return { browser, path: await browser.start(authorizationUrl({ clientId: early, challenge, redirectUri })) };
  };
  const waiting = await start();
  await setRedirectRules(operator, { rules: ["claude.ai", "this-machine"] });
  try {
    const tryToRegister = async (uris: string[]) => {
      const body = JSON.stringify({ client_name: "x", redirect_uris: uris });
      const answer = await send("/oauth/register", {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      return [answer.status, (await jsonOf(answer))["error"]];
    };
    expect(await tryToRegister(["https://claude.ai/api/mcp/auth_callback"])).toEqual([201, undefined]);
    expect(await tryToRegister([CALLBACK, "https://evil.example/cb"])).toEqual([400, "invalid_redirect_uri"]);
    for (const { browser, path } of [waiting, await start()])
      for (const answer of ["allow", "deny"]) {
        const refused = await browser.decide(path, [
          ["scope", "svc.usage.read"],
          ["workspace", workspaceId],
          ["decision", answer],
        ]);
        expect([refused.status, refused.headers.get("location")]).toEqual([403, null]);
        expect(await refused.text()).toContain("https://evil.example/cb");
      }
    expect((await connect({ workspaceId, cookie: person.cookie })).status).toBe(200);
  } finally {
    await allowAll();
  }
});

test("only operators set the policy; each actual change adds one entry to the instance's audit log", async () => {
  const owner = contextOf(db, { kind: "user", ...person, isOperator: false });
  for (const attempt of [
    () => readMcpPolicy(owner),
    () => switchMcp(owner, { isEnabled: false }),
    () => setRedirectRules(owner, { rules: ["claude.ai"] }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "forbidden" });
  await expect(setRedirectRules(operator, { rules: ["claude.ai", "*"] })).rejects.toMatchObject({
    code: "invalid_request",
  });
  const entries = async () => (await listAudit(operator, {})).entries.filter(({ action }) => action.startsWith("mcp."));
  const before = (await entries()).length;
  await setRedirectRules(operator, { rules: ["Claude.AI", "cursor:", "claude.ai"] });
  await setRedirectRules(operator, { rules: ["cursor:", "claude.ai"] });
  expect(await readMcpPolicy(operator)).toEqual({ isEnabled: true, redirectRules: ["claude.ai", "cursor:"] });
  await switchMcp(operator, { isEnabled: true });
  await allowAll();
  const after = await entries();
  const made = after.slice(0, after.length - before);
  expect(made).toMatchObject([
    { action: "mcp.set_redirects", detail: { from: ["claude.ai", "cursor:"], to: [] } },
    { action: "mcp.set_redirects", detail: { from: [], to: ["claude.ai", "cursor:"] } },
  ]);
});
