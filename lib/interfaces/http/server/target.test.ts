import fc from "fast-check";
import { expect, test } from "vitest";

import { hasNoAddress, parseTarget, type Surface, surfaceOf } from "./target";

const surface = (url: string): Surface | undefined => {
  const target = parseTarget(url);
  return target && surfaceOf(target);
};

test.each([
  ["/", "page"],
  ["/console/keys?tab=all", "page"],
  ["/docs/errors/auth_failed", "page"],
  ["/healthz", "health"],
  ["/readyz", "readiness"],
  ["/api/v1/agent/products", "api"],
  ["/api", "api"],
  ["/mcp", "api"],
  ["/oauth/token", "api"],
  ["/oauth/authorize?client_id=1", "api"],
  ["/oauth/consent/abc?workspace=1", "page"],
  ["/oauth/consent/abc/decide", "api"],
  ["/oauth/consent", "api"],
  ["/api/auth/session", "sessionApi"],
  ["/api/console/reports", "sessionApi"],
  ["/_next/static/chunk", "file"],
  ["/v1/imprint.mjs", "file"],
  ["/openapi.json", "file"],
  ["/.well-known/oauth-authorization-server", "api"],
  ["/.well-known/oauth-protected-resource/mcp", "api"],
  ["/.well-known/security.txt", "file"],
  ["/%E0%A4%A", "unreadable"],
  ["/apix", "page"],
] as const)("%s is answered as %s", (url, expected) => {
  expect(surface(url)).toBe(expected);
});

test.each([
  "//api/v1/agent/products",
  "/api//v1/agent/products",
  "/%61pi/v1/agent/products",
  "/api/v1/%E0%A4%A",
  "/x/../api/v1/agent/products",
  "/api/auth//session",
  "/api/%61uth/session",
  "/%2Fapi/auth/session",
  "http://elsewhere.example/api/v1/agent/products",
])("the spelling %s of an API path does not reach the pages", (url) => {
  expect(surface(url)).toBe("api");
});

test.each(["*", "", "api/v1", "http://", "ftp://host/path"])("the target %j is not a path", (url) => {
  expect(parseTarget(url)).toBeUndefined();
});

test("any target is parsed without an exception, and its path keeps its leading slash", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const target = parseTarget(`/${text}`);
      if (target) {
        expect(target.url.startsWith("/")).toBe(true);
        surfaceOf(target);
      }
    }),
  );
});

test("Next's own error pages have no URL, however it is spelled; its files do", () => {
  const isNone = (path: string) => {
    const target = parseTarget(path);
    return target && hasNoAddress(target);
  };
  for (const path of [
    "/_global-error",
    "/_not-found",
    "/%5Fglobal-error",
    "//_global-error/x?a=1",
    "/_global-error.rsc",
  ])
    expect([path, isNone(path)]).toEqual([path, true]);
  for (const path of ["/_next/static/x.js", "/w/_x", "/", "/docs", "/%E0%A4%A"])
    expect([path, isNone(path)]).toEqual([path, false]);
});
