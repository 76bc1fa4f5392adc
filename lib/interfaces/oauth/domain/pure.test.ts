import fc from "fast-check";
import { expect, test } from "vitest";

import { shownName } from "./client-name";
import { isPublicDocumentUrl } from "./document-url";
import { normaliseDocument, normaliseRegistration, redirectObstacle, redirectTarget } from "./registration";
import { normaliseResource } from "./resource";
import { covers, type Entitlement, knownScopes, obstacle, type Scope, SCOPES } from "./scopes";

test("the Account Map scope implies the Report scope, and no other scope implies another", () => {
  const pairs = SCOPES.flatMap((granted) =>
    SCOPES.filter((wanted) => covers([granted], wanted)).map((w) => [granted, w]),
  );
  expect(pairs).toEqual([
    ["svc.report.lite", "svc.report.lite"],
    ["svc.report.pro", "svc.report.lite"],
    ["svc.report.pro", "svc.report.pro"],
    ["svc.history.read", "svc.history.read"],
    ["svc.usage.read", "svc.usage.read"],
  ]);
});

test("unknown and duplicate scopes are dropped from a list", () => {
  expect(knownScopes("svc.usage.read offline_access svc.report.lite svc.usage.read")).toEqual([
    "svc.report.lite",
    "svc.usage.read",
  ]);
  expect(knownScopes(undefined)).toEqual([]);
});

const everything: Entitlement = {
  canReadReports: true,
  canReadUsage: true,
  hasHistory: true,
  hasAccountMap: true,
};

test.each<[Partial<Entitlement>, Scope[]]>([
  [{}, []],
  [{ hasAccountMap: false }, ["svc.report.pro"]],
  [{ hasHistory: false }, ["svc.history.read"]],
  [{ canReadUsage: false }, ["svc.usage.read"]],
  [{ canReadReports: false }, ["svc.report.lite", "svc.report.pro", "svc.history.read"]],
])("with %j the scopes %j cannot be granted", (change, refused) => {
  expect(SCOPES.filter((scope) => obstacle(scope, { ...everything, ...change }) !== undefined)).toEqual(refused);
});

test("spellings of a resource are normalised to one, idempotently", () => {
  for (const spelling of ["https://a.example/mcp", "https://A.example/mcp/", "https://a.example:443/mcp#x"])
    expect(normaliseResource(spelling)).toBe("https://a.example/mcp");
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withFragments: true }), fc.string()), (text) => {
      const once = normaliseResource(text);
      expect(normaliseResource(once)).toBe(once);
    }),
  );
});

test("a resource as long as a request allows is normalised in no time", () => {
  const startedAt = performance.now();
  const slashes = "/".repeat(64_000);
  expect(normaliseResource(`https://a.example/${slashes}x`)).toBe(`https://a.example/${slashes}x`);
  expect(normaliseResource(`https://a.example/${slashes}`)).toBe("https://a.example");
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test("any registration is reduced to known fields, idempotently", () => {
  const fields = fc.dictionary(
    fc.constantFrom("redirect_uris", "scope", "grant_types", "client_uri", "logo_uri", "jwks", "application_type"),
    fc.oneof(fc.constant(null), fc.string(), fc.array(fc.oneof(fc.webUrl(), fc.string()))),
  );
  fc.assert(
    fc.property(fields, (sent) => {
      const once = normaliseRegistration(sent);
      expect(once).not.toHaveProperty("scope");
      expect(once).not.toHaveProperty("jwks");
      expect(normaliseRegistration(once)).toEqual(once);
    }),
  );
});

test("no accepted address is executed by a browser or sent unencrypted to another machine", () => {
  const scheme = fc.constantFrom("javascript", "JavaScript", "data", "http", "https", "vbscript", "cursor", "file");
  fc.assert(
    fc.property(scheme, fc.webAuthority(), fc.string(), (name, authority, rest) => {
      const uri = `${name}://${authority}/${rest}`;
      if (redirectObstacle([uri]) !== undefined) return;
      expect(["https:", "http:", "cursor:"]).toContain(new URL(uri).protocol);
      if (new URL(uri).protocol === "http:") expect(uri).toMatch(/^http:\/\/(localhost|127\.0\.0\.1)/);
    }),
  );
});

test.each([
  ["https://claude.ai/api/callback", "claude.ai"],
  ["http://127.0.0.1:3334/cb", "127.0.0.1:3334"],
  ["cursor://anysphere.cursor-mcp/oauth", "cursor://anysphere.cursor-mcp"],
])("the redirect address %s is displayed as %s", (uri, target) => {
  expect(redirectTarget(uri)).toBe(target);
});

test.each([
  ["Claude", "Claude"],
  ["  two \n lines\t", "two lines"],
  ["\u202Egnp.exe", "gnp.exe"],
  ["zero\u200Bwidth", "zero width"],
  ["", "A client without a name"],
  [undefined, "A client without a name"],
  [7, "A client without a name"],
  ["x".repeat(90), `${"x".repeat(60)}…`],
])("the name %j is shown as %j", (name, shown) => {
  expect(shownName(name)).toBe(shown);
});

test("only https URLs with public host names are fetched", () => {
  expect(isPublicDocumentUrl("https://claude.ai/oauth/client.json")).toBe(true);
  for (const id of ["https://claude.ai", "https://2130706433/x", "https://0x7f.1/x", "https://a.local/x", "x"])
    expect(isPublicDocumentUrl(id), id).toBe(false);
});

test("an invalid document becomes one that the library refuses", () => {
  for (const text of ["", "null", "[1]", '"x"', "{}", '{"redirect_uris":["data:x"]}'])
    expect(normaliseDocument(text)).toBe("null");
});
