import { expect, test } from "vitest";

import { AppError } from "@/lib/contract/errors";
import { readForPage } from "./page";

test.each(["not_found", "invalid_request", "invalid_origin"] as const)(
  "an address that means nothing leads to the page that says so, not to one that blames the service: %s",
  async (code) => {
    const reading = readForPage(() => Promise.reject(new AppError(code)));
    await expect(reading).rejects.toMatchObject({ digest: "NEXT_HTTP_ERROR_FALLBACK;404" });
  },
);

test("what a role does not include is told, and the page stays", async () => {
  const reading = readForPage(() => Promise.reject(new AppError("forbidden", { message: "Not yours" })));
  expect(await reading).toEqual({ ok: false, restriction: "Not yours" });
});
