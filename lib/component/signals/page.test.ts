import { afterEach, expect, test, vi } from "vitest";

import { readPage } from "./page";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a framed page of an insecure origin says so", () => {
  vi.stubGlobal("self", { isSecureContext: false });
  vi.stubGlobal("top", {});

  expect(readPage()).toEqual({ isSecureContext: false, isFramed: true });
});
