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
  "the page %s is refused for its NUL",
  (path) => {
    expect(refusal(path)).toBe(400);
  },
);

test.each(["/api/v1/agent/products?x=%00", "/oauth/authorize?state=%00", "/sign-in?next=%2500"])(
  "%s goes on: it is refused in a form of its own, or fine",
  (path) => {
    expect(refusal(path)).toBeUndefined();
  },
);

test("a page's form comes from a page of ours and names its parts", () => {
  expect(refusal("/sign-in", "POST", { origin: BASE })).toBeUndefined();
  expect(refusal("/sign-in", "POST")).toBe(403);
  expect(refusal("/sign-in", "POST", { origin: "https://evil.example" })).toBe(403);
  const form = (type: string) => refusal("/sign-in", "POST", { origin: BASE, "content-type": type });
  expect([form("multipart/form-data"), form("Multipart/Form-Data; boundary=")]).toEqual([400, 400]);
  expect([form("multipart/form-data; boundary=x"), form("text/plain;charset=UTF-8")]).toEqual([undefined, undefined]);
  expect(refusal("/api/auth/signout", "POST")).toBeUndefined();
});
