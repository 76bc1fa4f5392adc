import { getEventListeners } from "node:events";

import { expect, test } from "vitest";

import { unlessAborted } from "./unless-aborted";

test("work that ends in time, with a result or an error, leaves no listener on a signal that outlives it", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(signal, Promise.resolve(42))).toBe(42);
  await expect(unlessAborted(signal, Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("work that does not end is given up when the signal is aborted, or was", async () => {
  const controller = new AbortController();
  const waiting = unlessAborted(controller.signal, new Promise(() => undefined));
  controller.abort();
  await expect(waiting).rejects.toThrow("aborted");
  await expect(unlessAborted(controller.signal, new Promise(() => undefined))).rejects.toThrow("aborted");
});
