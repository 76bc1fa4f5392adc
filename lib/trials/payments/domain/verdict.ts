/** A block of the chain: its number, and its time in Unix seconds. */
type BlockFact = { number: bigint; timestamp: bigint };

/** Facts about an authorization from one read of the chain. */
export type ChainFacts = {
  /** Block at which the authorization's state was read. */
  pinned: BlockFact;
  /** The newest block that can no longer be reorganised; undefined if the chain does not report it. */
  final: BlockFact | undefined;
  /** `authorizationState` of EIP-3009: true if it was used or cancelled. */
  isSpent: boolean;
  /** The event that spent it; undefined if none was found up to the pinned block. */
  event: SpendingEvent | undefined;
};

export type SpendingEvent =
  | { kind: "canceled"; block: bigint }
  | { kind: "used"; block: bigint; transaction: string; transfer: "agreed" | "other" | "none" };

type Verdict =
  | { kind: "settled"; transaction: string; isFinal: boolean }
  | { kind: "dead"; evidence: "cancelled" | "expired_unused" | "other_transfer"; block: string }
  | { kind: "unknown"; cause: string };

const unknown = (cause: string): Verdict => ({ kind: "unknown", cause });

function checkUnspent({ pinned, final }: ChainFacts, validBefore: bigint): Verdict {
  if (pinned.timestamp < validBefore) return unknown("the authorization is unused and may still be used");
  if (!final || final.timestamp < validBefore) return unknown("no final block is past the authorization's time yet");
  // The state must be at least as new as the final block, or a use in between would be missed.
  if (pinned.number < final.number) return unknown("the chain's nodes contradict each other");
  return { kind: "dead", evidence: "expired_unused", block: final.number.toString() };
}

/**
 * The outcome of an authorization. Settled if the agreed transfer took place; a reorganisation may undo that until it is
 * final. Dead only with proof that no later block can undo: cancelled, used for another transfer, or expired unused.
 * Otherwise unknown.
 */
export function checkChain(facts: ChainFacts, validBefore: number): Verdict {
  const { event, final } = facts;
  if (!facts.isSpent) return checkUnspent(facts, BigInt(validBefore));
  if (!event) return unknown("the authorization is spent, but the chain's nodes do not show by what");
  if (event.kind === "used" && event.transfer === "agreed") {
    const isFinal = final !== undefined && event.block <= final.number;
    return { kind: "settled", transaction: event.transaction, isFinal };
  }
  if (event.kind === "used" && event.transfer === "none") return unknown("the token shows no transfer for the use");
  if (!final || event.block > final.number) return unknown("what spent the authorization is not final yet");
  const evidence = event.kind === "canceled" ? "cancelled" : "other_transfer";
  return { kind: "dead", evidence, block: event.block.toString() };
}
