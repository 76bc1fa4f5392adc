import { afterEach, expect, test, vi } from "vitest";

import { readStorage } from "./storage";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("each kind of storage on its own: one that is denied leaves the others", () => {
  vi.stubGlobal("localStorage", {});
  vi.stubGlobal("sessionStorage", null);
  vi.stubGlobal("indexedDB", {});
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("no", "SecurityError");
    },
  });

  expect(readStorage()).toEqual({ localStorage: false, sessionStorage: false, indexedDb: true });
});
