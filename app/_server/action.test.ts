import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";

import { baseUrl } from "@/lib/platform/env";
import { defineAction } from "./action";

vi.mock("next/headers", () => ({ headers: () => Promise.resolve(new Headers({ origin: baseUrl() })) }));
vi.mock("./recent-write", () => ({ rememberWrite: () => Promise.resolve() }));
vi.mock("./page", () => ({
  currentActor: () => Promise.resolve({ kind: "user", userId: "usr_1", email: "ada@example.com" }),
  requestFacts: () => Promise.resolve({ requestId: "req_1" }),
  requestId: () => Promise.resolve("req_1"),
  requestOperation: () => Promise.resolve(undefined),
}));
vi.mock("@/db/client", () => ({ database: () => ({}) }));

const verb = vi.fn((_context: unknown, { texts }: { texts: string[] }) => Promise.resolve(texts.length));
const act = defineAction(z.strictObject({ texts: z.array(z.string()) }), verb);

beforeEach(() => {
  verb.mockClear();
});

test("what fits the declared shape reaches the verb", async () => {
  expect(await act({ texts: ["a", "b"] }, "usr_1")).toEqual({ ok: true, value: 2 });
});

test("a text that the database cannot store is refused before the verb", async () => {
  expect(await act({ texts: ["a", "\u0000"] }, "usr_1")).toMatchObject({ ok: false, code: "invalid_request" });
  expect(verb).not.toHaveBeenCalled();
});

/** As React reads a form of 1 kB, whose fields may name one another: level by level, each object names the next one. */
function sharedObjects(levels: number): object {
  let inner: object = { name: "x" };
  for (let level = 0; level < levels; level += 1)
    inner = Object.fromEntries(Array.from("abcdefgh", (name) => [name, inner]));
  return inner;
}

test("objects that contain one another many times are refused at once", async () => {
  const input = sharedObjects(20);
  const startedAt = performance.now();
  // @ts-expect-error what a browser sends need not have the declared shape
  expect(await act(input, "usr_1")).toMatchObject({ ok: false, code: "invalid_request" });
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
