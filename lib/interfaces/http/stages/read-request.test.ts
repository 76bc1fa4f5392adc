import { expect, test } from "vitest";

import type { ApiRequest } from "../exchange";
import { readRequest } from "./read-request";

const request: ApiRequest = {
  method: "POST",
  pathname: "/example",
  search: "",
  headers: { host: "a.example", "set-cookie": ["a=b", "c=d"] },
  readBody: (limitBytes) => Promise.resolve(`at most ${limitBytes}`),
  address: "192.0.2.1",
  requestId: "req_1",
};

const asked = { security: "none", path: "/example", bodyLimitBytes: 10 } as const;

test("a request is read with its headers in order, its address and its body within the limit", async () => {
  const sent = await readRequest(asked, request);
  expect(sent).toMatchObject({ headerNames: ["host", "set-cookie"], address: "192.0.2.1", rawBody: "at most 10" });
  expect(sent.requestHeader("set-cookie")).toBe("a=b, c=d");
  expect(sent.requestHeader("origin")).toBeUndefined();
});

test("a request whose body cannot be read is refused", async () => {
  const readBody = () => Promise.reject(new Error("broken"));
  await expect(readRequest(asked, { ...request, readBody })).rejects.toThrow("broken");
});
