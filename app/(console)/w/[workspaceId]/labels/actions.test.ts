import { expect, test, vi } from "vitest";
import type { z } from "zod";

import { importLabelsAction } from "./actions";

vi.mock("@/app/_server/action", () => ({
  defineAction: (schema: z.ZodType) => (input: unknown) => Promise.resolve(schema.safeParse(input).success),
}));
vi.mock("@/lib/visits/labels", () => ({ importLabels: vi.fn() }));

test("every file that the form sends is accepted by its size", async () => {
  const sizeOf = (length: number) => importLabelsAction({ workspaceId: "ws_1", csv: "x".repeat(length) }, undefined);
  expect([await sizeOf(1_000_000), await sizeOf(1_000_001)]).toEqual([true, false]);
});
