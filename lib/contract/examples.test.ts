import { expect, test } from "vitest";
import { z } from "zod";

import { faultsOfExamples } from "@/test/recorded-examples";
import { OPERATIONS } from "./index";

test("each operation has an example that satisfies the contract (`npm run contract:examples`)", () => {
  expect(faultsOfExamples()).toEqual([]);
});

test("a missing example, and one whose response no longer fits, are detected", () => {
  const [first] = OPERATIONS;
  const changed = { ...first, responses: { 200: z.strictObject({ other: z.string() }) } };
  expect(faultsOfExamples([{ ...first, id: "unknown" }])).toEqual(["unknown has no example"]);
  expect(faultsOfExamples([changed])).toEqual([`${first.id}: its example of 200 does not match the contract`]);
});
