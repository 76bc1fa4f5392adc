import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { env } from "@/lib/platform/env";
import { createTestDatabase } from "@/test/database";
import {
  authorizationUrl,
  CALLBACK,
  connect,
  createPerson,
  jsonOf,
  pkce,
  refresh,
  ScriptedBrowser,
  send,
} from "@/test/oauth";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { retryDocuments } from "./client-documents";
import { authenticateToken, listClients } from "./index";
import { normalizeResponse } from "./fetch-document";
import { createProvider, setProvider } from "./provider";

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);
const person = await createPerson(db, workspaceId);
const CLIENT_ID = "https://client.imprint-tests.dev/oauth/client.json";
const OTHER_ID = "https://other.imprint-tests.dev/client.json";

const documentOf = (clientId: string) => ({
  client_id: clientId,
  client_name: "Documented client",
  redirect_uris: [CALLBACK, WEB_CALLBACK],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
});

/** Hosts that serve their document, that are down, and that answer with a status. */
let hosts: Record<string, "up" | "down" | number> = {};

const fetchIt = async (url: string | URL | Request): Promise<Response> => {
  const clientId = url instanceof Request ? url.url : url.toString();
  const state = hosts[clientId] ?? "down";
  if (state === "down") throw new TypeError("fetch failed");
  if (state !== "up") return new Response("", { status: state });
  return normalizeResponse(new Response(JSON.stringify(documentOf(clientId))));
};

/** Clears the library's own memory, as a restart would. */
const restart = async () => {
  setProvider(await createProvider({ fetch: fetchIt }));
};

const setDocuments = (value: typeof env.MCP_CLIENT_DOCUMENTS) =>
  vi.spyOn(env, "MCP_CLIENT_DOCUMENTS", "get").mockReturnValue(value);

beforeEach(async () => {
  hosts = {};
  await db.execute(sql`delete from client_documents`);
  await restart();
});
afterEach(() => {
  vi.restoreAllMocks();
  setProvider(undefined);
});

const metadata = async () => await jsonOf(await send("/.well-known/oauth-authorization-server"));
const isOffered = async () => (await metadata())["client_id_metadata_document_supported"] === true;
const WEB_CALLBACK = "https://agent.example/callback";
/** Sends a request of a client whose redirect is not on the person's machine. */
const open = (clientId: string) =>
  new ScriptedBrowser(person.cookie).open(
    authorizationUrl({ clientId, challenge: pkce().challenge, redirectUri: WEB_CALLBACK }),
  );

/** Each process caches the state for a second. */
const untilOffered = (expected: boolean) => expect.poll(isOffered, { timeout: 5_000 }).toBe(expected);

test("documents are offered until one is unreachable, and the page then says what to do", async () => {
  await untilOffered(true);
  const refused = await open(CLIENT_ID);
  const page = await refused.text();
  expect([refused.status, refused.headers.get("location")]).toEqual([400, null]);
  expect(page).toContain("Connect once more in the client: it will now register itself instead");
  expect(page).not.toContain("Remove the connection");
  expect(await isOffered()).toBe(false);
});

test("a client that the metadata tells to register itself can connect", async () => {
  await open(CLIENT_ID);
  expect(await isOffered()).toBe(false);
  expect((await metadata())["registration_endpoint"]).toBeDefined();
  const { accessToken } = await connect({ workspaceId, cookie: person.cookie });
  expect(accessToken).not.toBe("");
});

test("a program on the person's machine connects at once, under its claimed name and unverified", async () => {
  const connected = await connect({ workspaceId, cookie: person.cookie, clientId: CLIENT_ID });
  expect((await authenticateToken(db, connected.accessToken)).actor.clientId).toBe(CLIENT_ID);
  const [client] = await listClients(operatorContext(db), { workspaceId, isAll: true });
  expect(client).toMatchObject({ clientId: CLIENT_ID, clientName: "client.imprint-tests.dev", verifiedHost: null });
  await restart();
  expect((await refresh(CLIENT_ID, connected.refreshToken)).status).toBe(200);
  // It keeps its id, and redirects to another port the next time.
  await restart();
  const path = await new ScriptedBrowser(person.cookie).start(
    authorizationUrl({ clientId: CLIENT_ID, challenge: pkce().challenge, redirectUri: "http://127.0.0.1:4711/other" }),
  );
  expect(path).toMatch(/^\/oauth\/consent\//);
});

test("an assumed document is replaced by the real one, and is not used for a remote redirect", async () => {
  await connect({ workspaceId, cookie: person.cookie, clientId: CLIENT_ID });
  await restart();
  expect((await open(CLIENT_ID)).status).toBe(400);
  hosts[CLIENT_ID] = "up";
  await restart();
  expect((await open(CLIENT_ID)).headers.get("location")).toMatch(/^\/oauth\/consent\//);
  hosts[CLIENT_ID] = "down";
  await restart();
  expect((await open(CLIENT_ID)).headers.get("location")).toMatch(/^\/oauth\/consent\//);
});

test.each([
  "https://localhost/cb",
  "http://localhost.evil.example/cb",
  "javascript:alert(1)",
  "http://user@127.0.0.1/",
])("no document is assumed for a client that redirects to %s", async (redirectUri) => {
  const refused = await new ScriptedBrowser(person.cookie).open(
    authorizationUrl({ clientId: CLIENT_ID, challenge: pkce().challenge, redirectUri }),
  );
  expect([refused.status, refused.headers.get("location")]).toEqual([400, null]);
});

test("the background job offers documents again once one can be reached, and not before", async () => {
  await open(CLIENT_ID);
  await retryDocuments(db, fetchIt);
  await untilOffered(false);
  hosts[CLIENT_ID] = 404;
  await retryDocuments(db, fetchIt);
  await untilOffered(true);
});

test("one unreachable host does not affect others: documents stay offered if one was read recently", async () => {
  hosts[OTHER_ID] = "up";
  expect((await open(OTHER_ID)).headers.get("location")).toMatch(/^\/oauth\/consent\//);
  expect(await (await open(CLIENT_ID)).text()).toContain("Start again in the client in a minute");
  await untilOffered(true);
});

test.each([404, 403, 302])(
  "a host that answers %i counts as reachable: its client is refused, documents stay offered",
  async (status) => {
    hosts[CLIENT_ID] = status;
    const page = await (await open(CLIENT_ID)).text();
    expect(page).toContain("invalid_client");
    await untilOffered(true);
  },
);

test.each(["down", 503, 429] as const)(
  "while its host is %s, a known client keeps working, reconnects and refreshes, even after a restart",
  async (state) => {
    hosts[CLIENT_ID] = "up";
    const first = await connect({ workspaceId, cookie: person.cookie, clientId: CLIENT_ID });
    hosts[CLIENT_ID] = state;
    await restart();
    expect((await refresh(CLIENT_ID, first.refreshToken)).status).toBe(200);
    const second = await connect({ workspaceId, cookie: person.cookie, clientId: CLIENT_ID });
    expect(second.accessToken).not.toBe("");
  },
);

test("a refresh that cannot read the document is told to retry, never that the client is unknown", async () => {
  hosts[CLIENT_ID] = "up";
  const { refreshToken } = await connect({ workspaceId, cookie: person.cookie, clientId: CLIENT_ID });
  hosts[CLIENT_ID] = "down";
  await db.execute(sql`delete from client_documents`);
  await restart();
  const refused = await refresh(CLIENT_ID, refreshToken);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
  expect(await jsonOf(refused)).toMatchObject({ error: "temporarily_unavailable" });
  hosts[CLIENT_ID] = "up";
  expect((await refresh(CLIENT_ID, refreshToken)).status).toBe(200);
});

test("a document that its host has removed ends the client, despite the stored copy", async () => {
  hosts[CLIENT_ID] = "up";
  const { refreshToken } = await connect({ workspaceId, cookie: person.cookie, clientId: CLIENT_ID });
  hosts[CLIENT_ID] = 404;
  await restart();
  expect(await jsonOf(await refresh(CLIENT_ID, refreshToken))).toMatchObject({ error: "invalid_client" });
});

test("with off, no document is fetched or offered, and the page says so; with on, they are always offered", async () => {
  setDocuments("off");
  await restart();
  hosts[CLIENT_ID] = "up";
  expect(await isOffered()).toBe(false);
  expect(await (await open(CLIENT_ID)).text()).toContain(
    "does not fetch the documents in which clients describe themselves",
  );
  setDocuments("on");
  await restart();
  hosts[CLIENT_ID] = "down";
  expect(await (await open(CLIENT_ID)).text()).toContain("ask whoever runs this service");
  expect(await isOffered()).toBe(true);
});
