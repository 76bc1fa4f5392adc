import { expect, test } from "vitest";

import { pageRefusal } from "./refuse-page";
import { parseTarget, surfaceOf } from "./target";

const BASE = "https://imprint.example";

function refusal(path: string, method = "GET", headers: Record<string, string> = {}) {
  const target = parseTarget(path);
  if (!target) throw new Error(`${path} is no target`);
  const request = { method, headers: { host: "imprint.example", ...headers } };
  return pageRefusal(surfaceOf(target), request, target, BASE)?.status;
}

test.each(["/w/x?search=%00", "/sign-in/%00", "/api/auth/signin?callbackUrl=%00", "/x.html?%00"])(
  "the page %s is refused because of its NUL",
  (path) => {
    expect(refusal(path)).toBe(400);
  },
);

test.each(["/api/v1/agent/products?x=%00", "/oauth/authorize?state=%00", "/sign-in?next=%2500"])(
  "%s is passed on: its handler refuses it in its own format, or it is valid",
  (path) => {
    expect(refusal(path)).toBeUndefined();
  },
);

test("a page accepts a form only from our own pages and, if multipart, with a boundary", () => {
  expect(refusal("/sign-in", "POST", { origin: BASE })).toBeUndefined();
  expect(refusal("/sign-in", "POST")).toBe(403);
  expect(refusal("/sign-in", "POST", { origin: "https://evil.example" })).toBe(403);
  const form = (type: string) => refusal("/sign-in", "POST", { origin: BASE, "content-type": type });
  expect([form("multipart/form-data"), form("Multipart/Form-Data; boundary=")]).toEqual([400, 400]);
  expect([form("multipart/form-data; boundary=x"), form("text/plain;charset=UTF-8")]).toEqual([undefined, undefined]);
  expect(refusal("/api/auth/signout", "POST")).toBeUndefined();
});
