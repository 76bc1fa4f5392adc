import fc from "fast-check";
import { expect, test } from "vitest";

import { type ChainFacts, checkChain } from "./verdict";

const VALID_BEFORE = 1_000;
const block = (number: number, timestamp: number) => ({ number: BigInt(number), timestamp: BigInt(timestamp) });
const used = (transfer: "agreed" | "other" | "none", at = 5) =>
  ({ kind: "used", block: BigInt(at), transaction: "0xabc", transfer }) as const;
const canceled = (at = 5) => ({ kind: "canceled", block: BigInt(at) }) as const;

const facts = (given: Partial<ChainFacts>): ChainFacts => ({
  pinned: block(10, 900),
  final: block(8, 880),
  isSpent: true,
  event: undefined,
  ...given,
});

test.each<[string, Partial<ChainFacts>, object]>([
  ["the agreed transfer took place", { event: used("agreed") }, { kind: "settled", transaction: "0xabc" }],
  ["it took place in a block that is not final", { event: used("agreed", 10) }, { kind: "settled" }],
  ["it was cancelled", { event: canceled() }, { kind: "dead", evidence: "cancelled", block: "5" }],
  ["it was used for another transfer", { event: used("other") }, { kind: "dead", evidence: "other_transfer" }],
  ["a cancellation is not final", { event: canceled(9) }, { kind: "unknown" }],
  ["another transfer is not final", { event: used("other", 9) }, { kind: "unknown" }],
  ["nothing is known to be final", { event: canceled(), final: undefined }, { kind: "unknown" }],
  ["it is spent, but no event shows by what", { event: undefined }, { kind: "unknown" }],
  ["it was used and no transfer is seen", { event: used("none") }, { kind: "unknown" }],
  ["it is unused and still valid", { isSpent: false }, { kind: "unknown" }],
  ["it is unused and expired, but not finally", { isSpent: false, pinned: block(10, 1_000) }, { kind: "unknown" }],
  [
    "it is unused and finally expired",
    { isSpent: false, pinned: block(12, 1_010), final: block(10, 1_000) },
    { kind: "dead", evidence: "expired_unused", block: "10" },
  ],
  [
    "the state is older than the final block",
    { isSpent: false, pinned: block(9, 1_000), final: block(10, 1_000) },
    { kind: "unknown" },
  ],
])("verdict: %s", (_, given, verdict) => {
  expect(checkChain(facts(given), VALID_BEFORE)).toMatchObject(verdict);
});

const blocks = fc.record({
  number: fc.bigInt({ min: 0n, max: 20n }),
  timestamp: fc.bigInt({ min: 990n, max: 1_010n }),
});
const anyFacts: fc.Arbitrary<ChainFacts> = fc.record({
  pinned: blocks,
  final: fc.option(blocks, { nil: undefined }),
  isSpent: fc.boolean(),
  event: fc.option(
    fc.oneof(
      fc.integer({ min: 0, max: 20 }).map(canceled),
      fc
        .tuple(fc.constantFrom("agreed" as const, "other" as const, "none" as const), fc.integer({ min: 0, max: 20 }))
        .map(([transfer, at]) => used(transfer, at)),
    ),
    { nil: undefined },
  ),
});

test("no facts make a payment dead without a final block as proof, or settled without its transfer", () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const verdict = checkChain(given, VALID_BEFORE);
      if (verdict.kind === "settled") expect(given).toMatchObject({ isSpent: true, event: { transfer: "agreed" } });
      if (verdict.kind !== "dead") return;
      expect(given.final).toBeDefined();
      expect(given.event?.kind === "used" && given.event.transfer === "agreed" && given.isSpent).toBe(false);
      const final = given.final ?? block(0, 0);
      if (verdict.evidence === "expired_unused") {
        expect(given.isSpent).toBe(false);
        expect(final.timestamp >= 1_000n && given.pinned.number >= final.number).toBe(true);
      } else expect(given.event && given.event.block <= final.number).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
