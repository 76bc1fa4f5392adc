import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { purgeEndedOauth } from "./index";
import { connect, createPerson, jsonOf, post, register, send } from "@/test/oauth";

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);
const person = await createPerson(db, workspaceId);

const CODE_AND_REFRESH = ["authorization_code", "refresh_token"];

async function tryToRegister(fields: unknown, address?: string) {
  const response = await send("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof fields === "string" ? fields : JSON.stringify(fields),
    ...(address === undefined ? {} : { address }),
  });
  return { status: response.status, headers: response.headers, body: await jsonOf(response) };
}

/** What real clients send, and what they are registered as. */
const SHAPES: [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    "Cursor, a scheme of its own without application_type",
    {
      client_name: "Cursor",
      redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost:8787/callback"],
      grant_types: CODE_AND_REFRESH,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "svc.report.lite svc.history.read",
    },
    { application_type: "native", token_endpoint_auth_method: "none", grant_types: CODE_AND_REFRESH },
  ],
  [
    "Visual Studio Code, with the device grant",
    {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      grant_types: [...CODE_AND_REFRESH, "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
      redirect_uris: [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
      ],
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    { application_type: "native", grant_types: CODE_AND_REFRESH },
  ],
  [
    "Claude, on the web",
    {
      client_name: "Claude",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
      grant_types: CODE_AND_REFRESH,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "svc.report.lite",
    },
    { application_type: "web", token_endpoint_auth_method: "none" },
  ],
  [
    "ChatGPT, with a secret",
    {
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
      grant_types: CODE_AND_REFRESH,
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
    },
    { application_type: "web", token_endpoint_auth_method: "client_secret_post" },
  ],
  [
    "a client that sends empty fields",
    {
      client_name: "mcp-remote",
      redirect_uris: ["http://localhost:3334/oauth/callback"],
      client_uri: null,
      logo_uri: "",
      contacts: [],
      tos_uri: null,
      software_id: "2e6dc280-f3c3-4e01-99a7-8181dbd1d23d",
      jwks: null,
    },
    { application_type: "native", token_endpoint_auth_method: "none" },
  ],
];

test.each(SHAPES)("%s is registered", async (_name, sent, expected) => {
  const { status, body } = await tryToRegister(sent);
  expect(body).toMatchObject({ ...expected, redirect_uris: sent["redirect_uris"] });
  expect(status).toBe(201);
  expect(body).not.toHaveProperty("scope");
  expect(body).not.toHaveProperty("registration_access_token");
  expect(body["client_secret"] !== undefined).toBe(expected["token_endpoint_auth_method"] === "client_secret_post");
});

test.each([
  ["javascript:alert(1)//x"],
  ["data:text/html,x"],
  ["http://evil.example/cb"],
  ["https://user:secret@evil.example/cb"],
  ["https://evil.example/cb#fragment"],
  ["not an address"],
  ["/relative"],
])("a client with the redirect address %s is refused", async (uri) => {
  const { status, body } = await tryToRegister({ client_name: "x", redirect_uris: [uri] });
  expect([status, body["error"]]).toEqual([400, "invalid_redirect_uri"]);
});

test.each([
  ["no redirect addresses", { client_name: "x" }],
  ["a list that is none", { redirect_uris: "https://a.example/cb" }],
  ["more than twenty", { redirect_uris: Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`) }],
  ["no JSON", "{"],
  ["no object", "[]"],
  ["an unsupported method", { redirect_uris: ["https://a.example/"], token_endpoint_auth_method: "tls_client_auth" }],
])("a registration with %s is refused with 400 and an OAuth error", async (_name, sent) => {
  const { status, body } = await tryToRegister(sent);
  expect(status).toBe(400);
  expect(typeof body["error"]).toBe("string");
});

test("a registration larger than 64 KiB is refused", async () => {
  const { status } = await tryToRegister({ client_name: "x".repeat(70_000), redirect_uris: ["https://a.example/"] });
  expect(status).toBe(413);
});

test("one IP address, such as an office's, can register 60 clients an hour; other addresses are not affected", async () => {
  const fields = { client_name: "x", redirect_uris: ["https://a.example/cb"] };
  const attempts = Array.from({ length: 70 }, () => tryToRegister(fields, "198.51.100.7"));
  const registered = (await Promise.all(attempts)).filter(({ status }) => status === 201).length;
  expect(registered).toBeGreaterThanOrEqual(60);
  expect(registered).toBeLessThan(63);
  const refused = await tryToRegister(fields, "198.51.100.7");
  expect(refused.body["error"]).toBe("temporarily_unavailable");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(30);
  expect(refused.headers.get("ratelimit-policy")).toBe('"oauth-registration";q=60;w=3600');
  expect((await tryToRegister(fields, "198.51.100.8")).status).toBe(201);
});

test("a client's secret is stored only as a hash, and only the secret itself authenticates", async () => {
  const { body } = await tryToRegister(SHAPES[3]?.[1]);
  const [clientId, secret] = [String(body["client_id"]), String(body["client_secret"])];
  const rows = await db.execute<{ text: string }>(
    sql`select payload::text as text from oauth_records where model = 'Client' and record_id = ${clientId}`,
  );
  expect(rows[0]?.text).toContain("ChatGPT");
  expect(rows[0]?.text).not.toContain(secret);
  const ask = (presented: string) =>
    post("/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: "x",
      client_id: clientId,
      client_secret: presented,
    });
  const stored = /"client_secret": "([^"]+)"/.exec(rows[0]?.text ?? "")?.[1] ?? "";
  const answers = [await ask(secret), await ask("wrong"), await ask(stored)];
  expect(await Promise.all(answers.map(async (answer) => (await jsonOf(answer))["error"]))).toEqual([
    "invalid_grant",
    "invalid_client",
    "invalid_client",
  ]);
});

const isKnown = async (clientId: string) =>
  (await jsonOf(await post("/oauth/token", { grant_type: "refresh_token", refresh_token: "x", client_id: clientId })))[
    "error"
  ] === "invalid_grant";

test("an unused registration expires after seven days, one in use does not", async () => {
  const unused = await register();
  const { clientId: used } = await connect({ workspaceId, cookie: person.cookie });
  const after = async (days: number) => {
    await db.execute(
      sql`update oauth_records set expires_at = expires_at - make_interval(days => ${days}) where model = 'Client'`,
    );
    await purgeEndedOauth(db, new AbortController().signal);
    return [await isKnown(unused), await isKnown(used)];
  };
  expect(await after(6)).toEqual([true, true]);
  expect(await after(2)).toEqual([false, true]);
  expect(await after(111)).toEqual([false, true]);
  expect(await after(2)).toEqual([false, false]);
});

test("the purge deletes only what has expired", async () => {
  const { accessToken } = await connect({ workspaceId, cookie: person.cookie });
  const count = async () => {
    const rows = await db.execute<{ ended: number; live: number }>(sql`
      select count(*) filter (where expires_at < now())::int as ended, count(*) filter (where expires_at >= now())::int as live
      from oauth_records`);
    return rows[0];
  };
  await db.execute(sql`update oauth_records set expires_at = now() - interval '1 second' where model = 'Interaction'`);
  await db.execute(sql`insert into oauth_records (model, record_id, payload, expires_at)
    select 'AccessToken', 'old' || n, '{}', now() - interval '1 day' from generate_series(1, 5100) n`);
  const before = await count();
  expect(before?.ended).toBeGreaterThanOrEqual(5100);
  await purgeEndedOauth(db, new AbortController().signal);
  expect(await count()).toEqual({ ended: 0, live: before?.live });
  expect(accessToken).toBeTruthy();
});
