import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { removeMember } from "@/lib/tenancy/workspaces";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { authenticateToken, SCOPES } from "./index";
import {
  authorizationUrl,
  BASE,
  connect,
  createPerson,
  jsonOf,
  pkce,
  post,
  redeem,
  refresh,
  register,
  ScriptedBrowser,
  send,
  tokensOf,
} from "@/test/oauth";

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);
const person = await createPerson(db, workspaceId);

const refusalOf = async (token: string): Promise<unknown> =>
  authenticateToken(db, token).then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code,
  );

const accepted = undefined;

/** Backdates the use of every refresh token of a grant beyond the reuse window. */
const ageUses = () =>
  db.execute(
    sql`update oauth_records set consumed_at = consumed_at - interval '31 seconds' where consumed_at is not null`,
  );

test("a client gets the scopes that the person ticked, and its token identifies that person", async () => {
  const scopes = ["svc.report.lite", "svc.history.read"];
  const connected = await connect({ workspaceId, cookie: person.cookie, scopes });
  expect(connected.callback.searchParams.get("iss")).toBe(BASE);
  expect(connected.callback.searchParams.get("state")).toBe("s1");
  expect(connected).toMatchObject({ status: 200, scope: scopes.join(" "), expiresIn: 3600 });
  expect(await authenticateToken(db, connected.accessToken)).toMatchObject({
    actor: { kind: "oauthClient", clientId: connected.clientId, userId: person.userId, workspaceId },
    scopes,
    audience: `${BASE}/mcp`,
  });
});

test("stored tokens, codes and requests cannot be used as credentials", async () => {
  const { accessToken, refreshToken, code } = await connect({ workspaceId, cookie: person.cookie });
  const rows = await db.execute<{ text: string }>(sql`
    select string_agg(record_id || payload::text, ' ') as text from oauth_records where model <> 'Client'`);
  for (const secret of [accessToken, refreshToken, code]) {
    expect(secret.length).toBeGreaterThanOrEqual(43);
    expect(rows[0]?.text).not.toContain(secret);
  }
});

test("a refreshed token works, and so does the previous token until it expires", async () => {
  const { clientId, refreshToken, accessToken } = await connect({ workspaceId, cookie: person.cookie });
  const next = await tokensOf(await refresh(clientId, refreshToken));
  expect(next.status).toBe(200);
  expect(next.refreshToken).not.toBe(refreshToken);
  expect([await refusalOf(next.accessToken), await refusalOf(accessToken)]).toEqual([accepted, accepted]);
});

test("concurrent refreshes within the window all succeed, and all of their tokens work", async () => {
  const { clientId, refreshToken } = await connect({ workspaceId, cookie: person.cookie });
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => tokensOf(await refresh(clientId, refreshToken))),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  for (const { accessToken } of answers) expect(await refusalOf(accessToken)).toBe(accepted);
  for (const answer of answers) expect((await refresh(clientId, answer.refreshToken)).status).toBe(200);
});

test("a refresh token reused after the window revokes its grant and all tokens of it", async () => {
  const { clientId, refreshToken } = await connect({ workspaceId, cookie: person.cookie });
  const next = await tokensOf(await refresh(clientId, refreshToken));
  await ageUses();
  const reused = await tokensOf(await refresh(clientId, refreshToken));
  expect([reused.status, reused.error]).toEqual([400, "invalid_grant"]);
  expect(await refusalOf(next.accessToken)).toBe("auth_failed");
  expect((await refresh(clientId, next.refreshToken)).status).toBe(400);
});

test("a reused code is refused and revokes the tokens issued for it", async () => {
  const { clientId, code, verifier, accessToken } = await connect({ workspaceId, cookie: person.cookie });
  const replayed = await tokensOf(await redeem({ clientId, code, verifier }));
  expect([replayed.status, replayed.error]).toEqual([400, "invalid_grant"]);
  expect(await refusalOf(accessToken)).toBe("auth_failed");
});

test.each(["refreshToken", "accessToken"] as const)("revoking the %s takes effect immediately", async (kind) => {
  const connected = await connect({ workspaceId, cookie: person.cookie });
  const answer = await post("/oauth/revoke", { token: connected[kind], client_id: connected.clientId });
  expect(answer.status).toBe(200);
  expect(await refusalOf(connected.accessToken)).toBe("auth_failed");
  expect((await refresh(connected.clientId, connected.refreshToken)).status).toBe(400);
});

test("a client cannot revoke or refresh another client's token", async () => {
  const connected = await connect({ workspaceId, cookie: person.cookie });
  const stranger = await register();
  await post("/oauth/revoke", { token: connected.accessToken, client_id: stranger });
  expect((await refresh(stranger, connected.refreshToken)).status).toBe(400);
  expect(await refusalOf(connected.accessToken)).toBe(accepted);
});

test.each([
  ["no challenge", { code_challenge: "", code_challenge_method: "" }],
  ["the plain method", { code_challenge_method: "plain" }],
])("with %s, a previously approved client gets invalid_request and the issuer", async (_name, extra) => {
  const { clientId } = await connect({ workspaceId, cookie: person.cookie });
  const { challenge } = pkce();
  const browser = new ScriptedBrowser(person.cookie);
  const url = await browser.follow(await browser.open(authorizationUrl({ clientId, challenge, extra })));
  expect([url.searchParams.get("error"), url.searchParams.get("iss")]).toEqual(["invalid_request", BASE]);
});

test("a wrong verifier gets no token", async () => {
  const clientId = await register();
  const browser = new ScriptedBrowser(person.cookie);
  const path = await browser.start(authorizationUrl({ clientId, challenge: pkce().challenge }));
  const callback = await browser.follow(
    await browser.decide(path, [
      ["scope", "svc.usage.read"],
      ["workspace", workspaceId],
      ["decision", "allow"],
    ]),
  );
  const code = callback.searchParams.get("code") ?? "";
  expect(await jsonOf(await redeem({ clientId, code, verifier: pkce().verifier }))).toMatchObject({
    error: "invalid_grant",
  });
});

test("an unregistered redirect address gets an error page, never a redirect", async () => {
  const clientId = await register();
  const url = authorizationUrl({ clientId, challenge: pkce().challenge, redirectUri: "https://evil.example/cb" });
  const response = await new ScriptedBrowser(person.cookie).open(url);
  expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await response.text()).toContain("did not register");
});

test("a loopback redirect may use any port", async () => {
  const clientId = await register({ redirect_uris: ["http://127.0.0.1/callback"] });
  const redirectUri = "http://127.0.0.1:54321/callback";
  const browser = new ScriptedBrowser(person.cookie);
  const path = await browser.start(authorizationUrl({ clientId, challenge: pkce().challenge, redirectUri }));
  const callback = await browser.follow(await browser.decide(path, [["decision", "deny"]]));
  expect(callback.origin).toBe("http://127.0.0.1:54321");
});

test("after a person refuses, the client gets access_denied and the issuer", async () => {
  const clientId = await register();
  const browser = new ScriptedBrowser(person.cookie);
  const path = await browser.start(authorizationUrl({ clientId, challenge: pkce().challenge }));
  const callback = await browser.follow(await browser.decide(path, [["decision", "deny"]]));
  expect(Object.fromEntries(callback.searchParams)).toMatchObject({ error: "access_denied", iss: BASE, state: "s1" });
});

test("the metadata lists the scopes that a client may request, and says that revocation needs no secret", async () => {
  const metadata = await jsonOf(await send("/.well-known/oauth-authorization-server"));
  expect(metadata["scopes_supported"]).toEqual([...SCOPES, "offline_access"]);
  for (const endpoint of ["token", "revocation"])
    expect(metadata[`${endpoint}_endpoint_auth_methods_supported`]).toContain("none");
});

test.each([undefined, "openid", "openid offline_access", "read:everything", "svc.report"])(
  "a request for the scope %j, which contains none of ours, is treated as a request for all of them",
  async (scope) => {
    const clientId = await register();
    const { challenge, verifier } = pkce();
    const browser = new ScriptedBrowser(person.cookie);
    // The resource's spelling is normalised.
    const extra = { resource: "http://LOCALHOST:3000/mcp/", ...(scope === undefined ? {} : { scope }) };
    const path = await browser.start(authorizationUrl({ clientId, challenge, extra }));
    const all = SCOPES.map((each): [string, string] => ["scope", each]);
    const callback = await browser.follow(
      await browser.decide(path, [...all, ["workspace", workspaceId], ["decision", "allow"]]),
    );
    const tokens = await tokensOf(await redeem({ clientId, code: callback.searchParams.get("code") ?? "", verifier }));
    expect(tokens.scope.split(" ")).toEqual(expect.arrayContaining([...SCOPES]));
  },
);

test("another resource is refused as invalid_target", async () => {
  const { clientId } = await connect({ workspaceId, cookie: person.cookie });
  const browser = new ScriptedBrowser(person.cookie);
  const extra = { resource: "https://elsewhere.example/mcp" };
  const url = await browser.follow(
    await browser.open(authorizationUrl({ clientId, challenge: pkce().challenge, extra })),
  );
  expect(url.searchParams.get("error")).toBe("invalid_target");
});

test("an unknown client gets 401 invalid_client, on which clients register again", async () => {
  const response = await refresh("gone", "whatever");
  expect([response.status, (await jsonOf(response))["error"]]).toEqual([401, "invalid_client"]);
});

test("a decision requires the browser that started the request, the page's origin and a signed-in person", async () => {
  const clientId = await register();
  const form: [string, string][] = [
    ["scope", "svc.usage.read"],
    ["workspace", workspaceId],
    ["decision", "allow"],
  ];
  const browser = new ScriptedBrowser(person.cookie);
  const path = await browser.start(authorizationUrl({ clientId, challenge: pkce().challenge }));
  expect((await new ScriptedBrowser(person.cookie).decide(path, form)).status).toBe(404);
  for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, { origin: "" }]) {
    const body = new URLSearchParams(form);
    expect((await browser.open(`${path}/decide`, { method: "POST", headers, body })).status).toBe(403);
  }
  const signedOut = await send(`${path}/decide`, {
    method: "POST",
    headers: { origin: BASE },
    body: new URLSearchParams(form),
  });
  expect(signedOut.headers.get("location")).toContain("/sign-in?next=");
  expect((await browser.follow(await browser.decide(path, form))).searchParams.get("code")).toBeTruthy();
  expect((await browser.decide(path, form)).status).toBe(404);
});

test("allowing nothing returns to the page, and scopes that were not requested are not granted", async () => {
  const clientId = await register();
  const browser = new ScriptedBrowser(person.cookie);
  const url = authorizationUrl({ clientId, challenge: pkce().challenge, scope: "svc.usage.read" });
  const path = await browser.start(url);
  const answer = await browser.decide(path, [
    ["scope", "svc.report.lite"],
    ["workspace", workspaceId],
    ["decision", "allow"],
  ]);
  expect(answer.headers.get("location")).toContain(`${path}?workspace=${workspaceId}&empty=1`);
});

test("two people who use the same browser in turn each connect as themselves", async () => {
  const other = await createPerson(db, workspaceId);
  const clientId = await register();
  for (const { cookie, userId } of [person, other, person]) {
    const { accessToken } = await connect({ workspaceId, cookie, clientId });
    expect((await authenticateToken(db, accessToken)).actor.userId).toBe(userId);
  }
});

test("a new grant replaces the connection of a client that registered itself", async () => {
  const first = await connect({ workspaceId, cookie: person.cookie, scopes: ["svc.report.lite"] });
  const { clientId } = first;
  const second = await connect({ workspaceId, cookie: person.cookie, clientId, scopes: SCOPES });
  expect([await refusalOf(first.accessToken), await refusalOf(second.accessToken)]).toEqual(["auth_failed", accepted]);
});

/** The grants by which a client is connected. */
const grantsOf = async (clientId: string) => {
  const rows = await db.execute(sql`select grant_id from oauth_connections where client_id = ${clientId}`);
  return rows.map((row) => row["grant_id"]);
};

const allowing: [string, string][] = [
  ["scope", "svc.report.lite"],
  ["workspace", workspaceId],
  ["decision", "allow"],
];

test.each([
  ["at the same time", (allow: () => Promise<Response>) => Promise.all([allow(), allow()])],
  ["in turn", async (allow: () => Promise<Response>) => [await allow(), await allow()]],
])(
  "allowing twice %s, as a double click does, connects the client once, and the last answer has the code",
  async (_name, both) => {
    const clientId = await register();
    const { verifier, challenge } = pkce();
    const browser = new ScriptedBrowser(person.cookie);
    const path = await browser.start(authorizationUrl({ clientId, challenge }));
    const [first, last] = await both(() => browser.decide(path, allowing));
    expect(last?.headers.get("location")).toBe(first?.headers.get("location"));
    const code = (await browser.follow(last ?? Response.error())).searchParams.get("code") ?? "";
    const { accessToken } = await tokensOf(await redeem({ clientId, code, verifier }));
    expect(await grantsOf(clientId)).toEqual([(await authenticateToken(db, accessToken)).grantId]);
  },
);

test("a decision cannot be changed, and refusing twice refuses once", async () => {
  for (const [decision, then, outcome] of [
    ["deny", "allow", "error"],
    ["allow", "deny", "code"],
    ["deny", "deny", "error"],
  ] as const) {
    const clientId = await register();
    const browser = new ScriptedBrowser(person.cookie);
    const path = await browser.start(authorizationUrl({ clientId, challenge: pkce().challenge }));
    await browser.decide(path, [...allowing.slice(0, 2), ["decision", decision]]);
    const last = await browser.decide(path, [...allowing.slice(0, 2), ["decision", then]]);
    expect([...(await browser.follow(last)).searchParams.keys()]).toContain(outcome);
    expect((await grantsOf(clientId)).length).toBe(outcome === "code" ? 1 : 0);
  }
});

test("two requests of a client that registered itself, allowed at the same time, leave one connection", async () => {
  const clientId = await register();
  const browsers = [1, 2].map(() => new ScriptedBrowser(person.cookie));
  const url = authorizationUrl({ clientId, challenge: pkce().challenge });
  const paths = await Promise.all(browsers.map((browser) => browser.start(url)));
  await Promise.all(browsers.map((browser, index) => browser.decide(paths[index] ?? "", allowing)));
  expect((await grantsOf(clientId)).length).toBe(1);
});

test("a removed member permanently loses access on the next call, and gets no new token", async () => {
  const leaver = await createPerson(db, workspaceId, "admin");
  const { clientId, accessToken, refreshToken } = await connect({ workspaceId, cookie: leaver.cookie });
  await removeMember(operatorContext(db), { workspaceId, userId: leaver.userId });
  expect(await refusalOf(accessToken)).toBe("auth_failed");
  expect((await refresh(clientId, refreshToken)).status).toBe(400);
});

test("a token expires no later than its grant, and a refresh never extends it", async () => {
  const { clientId, refreshToken, accessToken } = await connect({ workspaceId, cookie: person.cookie });
  await db.execute(sql`update oauth_connections set expires_at = clock_timestamp() where client_id = ${clientId}`);
  expect(await refusalOf(accessToken)).toBe("auth_failed");
  expect((await refresh(clientId, refreshToken)).status).toBe(400);
});
