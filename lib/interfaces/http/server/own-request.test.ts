import type { IncomingHttpHeaders } from "node:http";

import { expect, test } from "vitest";

import { publishTestSecrets } from "@/test/visits";
import { isOwnRequest, markOwnRequest } from "./own-request";

publishTestSecrets();

test("only what the entry marked is a request of its own, whatever a client sends in its place", () => {
  const headers: IncomingHttpHeaders = { "x-imprint-own-request": "forged" };
  const sent = ["", "forged", "00", "a".repeat(64), ["a", "b"]];
  for (const value of [undefined, ...sent]) expect(isOwnRequest({ "x-imprint-own-request": value })).toBe(false);
  markOwnRequest(headers);
  expect(isOwnRequest(headers)).toBe(true);
  const [first = "", ...rest] = String(headers["x-imprint-own-request"]);
  const altered = [first === "0" ? "1" : "0", ...rest].join("");
  expect(isOwnRequest({ "x-imprint-own-request": altered })).toBe(false);
});
