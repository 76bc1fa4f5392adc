import { afterEach, expect, test, vi } from "vitest";

import { readPage } from "./page";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a framed, hidden page of an insecure origin says so", () => {
  vi.stubGlobal("self", { isSecureContext: false });
  vi.stubGlobal("top", {});
  vi.stubGlobal("document", { hidden: true });

  expect(readPage()).toEqual({ isSecureContext: false, hidden: true, isFramed: true });
});
