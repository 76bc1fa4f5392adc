import { checkEvidence } from "@/lib/visits/risk/domain/evidence";

import { TOKEN_RULES } from "./token-rules";

/**
 * How long the previous generation is still accepted after a renewal: pages that loaded together send the token that
 * they read when they started. A run ends within the lifetime of its challenge, 120 seconds, or requests one more.
 */
const GRACE_SECONDS = 300;
/** How long a detected reuse is reported for both copies of a token. Copies in daily use are detected daily. */
const REUSE_COUNTS_SECONDS = 48 * 3600;
/** Minimum interval between recorded reuses of the same token. */
const REUSE_NOTED_SECONDS = 3600;

/** State of a token at the time it is presented. */
export type TokenUse = {
  /** Newest generation presented so far. */
  generation: number;
  /** Seconds since that generation was first presented; null before the first rotation. */
  newestSeconds: number | null;
  /** Whether this UTC day has seen neither the creation of the token nor an offer of the next generation. */
  isDue: boolean;
  /** Whether the next generation was already offered on this UTC day. */
  isOffered: boolean;
  /** Seconds since the last recorded reuse of an older generation; null if there was none. */
  reusedSeconds: number | null;
};

/** An address of a device, and how long ago it was last used. */
type RecentPlace = { address: string; ageSeconds: number };

export type KnownToken = TokenUse & {
  deviceId: string;
  /** Other recent addresses of the device, newest first. */
  places: RecentPlace[];
};

/** Changes that a visit makes to its token. */
export type TokenTurn = { generation: number; isOffered: boolean; isReused: boolean };

export type TokenEvaluation = {
  turn: TokenTurn | undefined;
  /** Whether a copy of the token is in use. */
  isCopied: boolean;
  /** Generation to return with the visit's answer, if any. */
  next: number | undefined;
  /** The same for a submission that is resent because its answer was lost. */
  nextAgain: number | undefined;
};

/**
 * Evaluates a token's generation. Only presented generations count: one that was offered but never presented means that
 * the answer was lost, or that the component keeps its first token forever.
 */
export function evaluateGeneration(presented: number, use: TokenUse): TokenEvaluation {
  const { generation, newestSeconds, isDue, reusedSeconds } = use;
  const isOlder = presented < generation;
  const isInGrace = presented === generation - 1 && (newestSeconds ?? 0) < GRACE_SECONDS;
  const isReuse = isOlder && !isInGrace;
  const isOffered = !isOlder && isDue;
  const isNoted = isReuse && (reusedSeconds ?? Infinity) >= REUSE_NOTED_SECONDS;
  const isTurned = presented > generation || isOffered || isNoted;
  return {
    turn: isTurned ? { generation: presented, isOffered, isReused: isNoted } : undefined,
    isCopied: isReuse || (reusedSeconds ?? Infinity) < REUSE_COUNTS_SECONDS,
    next: isOlder ? generation : isOffered ? presented + 1 : undefined,
    nextAgain: isOlder ? generation : isOffered || use.isOffered ? presented + 1 : undefined,
  };
}

/** The finding about a token that is in use in two places. */
export function reusedTokenFinding(presented: number, { generation }: TokenUse) {
  const isOlder = presented < generation;
  const renewals = (count: number) => (count === 1 ? "renewed once" : `renewed ${count} times`);
  return checkEvidence(TOKEN_RULES, "identity.token-reused", {
    explanation: isOlder
      ? "The visit presented an older state of its device token after a newer one had been used, so the token exists in two places."
      : "An older state of this visit's device token was presented within the last two days, so the token exists in two places.",
    compared: [
      { label: "Token, this visit", value: renewals(presented), isOdd: isOlder },
      { label: "Token, newest state seen", value: renewals(Math.max(presented, generation)), isOdd: false },
    ],
    harmlessCauses: [
      "A browser profile that was restored from a backup",
      "A machine that is repeatedly reset to a stored image",
      "Two ports of one host, which share cookies but no other storage",
    ],
    source: "docs/identity.md: a token replaced by its next generation is no longer used",
  });
}
