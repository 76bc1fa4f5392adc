import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { fetchDocument, normalizeResponse } from "./fetch-document";
import { authenticateToken } from "./index";
import { createProvider, setProvider } from "./provider";
import { authorizationUrl, CALLBACK, connect, createPerson, pkce, ScriptedBrowser } from "@/test/oauth";

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);
const person = await createPerson(db, workspaceId);
const CLIENT_ID = "https://client.imprint-tests.dev/oauth/client.json";

const document = (fields: Record<string, unknown> = {}) => ({
  client_id: CLIENT_ID,
  client_name: "Documented client",
  redirect_uris: [CALLBACK],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
  scope: "svc.report.lite",
  client_uri: null,
  ...fields,
});

/** Serves a document instead of the network; records the URLs that were requested. */
async function serve(body: string, status = 200): Promise<string[]> {
  const asked: string[] = [];
  setProvider(
    await createProvider({
      fetch: (url) => {
        asked.push(url instanceof Request ? url.url : String(url));
        return normalizeResponse(new Response(body, { status }));
      },
    }),
  );
  return asked;
}

afterEach(() => {
  setProvider(undefined);
});

const open = (clientId: string) =>
  new ScriptedBrowser(person.cookie).open(authorizationUrl({ clientId, challenge: pkce().challenge }));

test("a client is identified by its metadata document, fetched once, and may request any scope", async () => {
  const asked = await serve(JSON.stringify(document()));
  const first = await connect({ workspaceId, cookie: person.cookie, clientId: CLIENT_ID });
  const second = await connect({ workspaceId, cookie: person.cookie, clientId: CLIENT_ID });
  expect(asked).toEqual([CLIENT_ID]);
  for (const { accessToken } of [first, second])
    expect((await authenticateToken(db, accessToken)).actor.clientId).toBe(CLIENT_ID);
});

test.each([
  ["another client_id", JSON.stringify(document({ client_id: `${CLIENT_ID}x` })), 200],
  ["a secret", JSON.stringify(document({ client_secret: "secret" })), 200],
  ["a secret's method", JSON.stringify(document({ token_endpoint_auth_method: "client_secret_post" })), 200],
  ["a redirect that a browser runs", JSON.stringify(document({ redirect_uris: ["javascript:alert(1)"] })), 200],
  ["no redirect", JSON.stringify(document({ redirect_uris: [] })), 200],
  ["no JSON", "<html>", 200],
  ["a list", "[]", 200],
  ["more than 5 KiB", JSON.stringify(document({ client_uri: `https://a.example/${"x".repeat(6_000)}` })), 200],
  ["an error", JSON.stringify(document()), 404],
])("a document with %s is refused with an error page", async (_name, body, status) => {
  await serve(body, status);
  const response = await open(CLIENT_ID);
  expect(response.status).toBe(400);
  expect(response.headers.get("location")).toBeNull();
});

test.each([
  "http://client.imprint-tests.dev/client.json",
  "https://127.0.0.1/client.json",
  "https://[::1]/client.json",
  "https://10.0.0.1/client.json",
  "https://localhost/client.json",
  "https://service.internal/client.json",
  "https://router.local/client.json",
  "https://client.imprint-tests.dev:8443/client.json",
  "https://client.imprint-tests.dev/",
  "https://user@client.imprint-tests.dev/client.json",
  "https://client.imprint-tests.dev/../client.json",
])("the client id %s is not fetched", async (clientId) => {
  const asked = await serve(JSON.stringify(document({ client_id: clientId })));
  expect((await open(clientId)).status).toBe(400);
  expect(asked).toEqual([]);
});

test("a name that resolves to an internal address is not requested, and without that protection nothing is fetched", async () => {
  let options: RequestInit = {};
  setProvider(
    await createProvider({
      fetch: (_url, given = {}) => {
        options = given;
        return Promise.resolve(new Response("", { status: 404 }));
      },
    }),
  );
  await open(CLIENT_ID);
  const requests: string[] = [];
  const server = createServer((req, res) => {
    requests.push(req.url ?? "");
    res.end("{}");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
  try {
    expect((await fetch(url)).status).toBe(200);
    await expect(fetchDocument(url, options)).rejects.toThrow();
    await expect(fetchDocument(url, {})).rejects.toThrow("no protected connection");
    expect(requests).toHaveLength(1);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
