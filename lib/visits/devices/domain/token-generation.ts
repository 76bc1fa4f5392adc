/**
 * How long the generation before the newest one is nobody's copy: pages that began together send what they read from
 * the store at their start. A run ends within the life of its challenge, 120 seconds, or asks for one more.
 */
const GRACE_SECONDS = 300;
/** How long both sides of a token that was used in two copies are told apart from others. A copy in daily use shows daily. */
const REUSE_COUNTS_SECONDS = 48 * 3600;
/** A reuse that goes on is noted again after so long. */
const REUSE_NOTED_SECONDS = 3600;

/** What is known of a token when it is presented. */
export type TokenUse = {
  /** Newest generation that was presented. */
  generation: number;
  /** Seconds since that was presented first; null before the first rotation. */
  newestSeconds: number | null;
  /** Whether no visit of this UTC day was offered the next generation yet, nor made the token. */
  isDue: boolean;
  /** Whether a visit of this UTC day was offered the next generation. */
  isOffered: boolean;
  /** Seconds since an older generation came back; null when none did. */
  reusedSeconds: number | null;
};

/** An address of a device, and when it was last there. */
type RecentPlace = { address: string; ageSeconds: number };

export type KnownToken = TokenUse & {
  deviceId: string;
  /** Where else the device was lately, the newest first. */
  places: RecentPlace[];
};

/** What a visit changes of its token. */
export type TokenTurn = { generation: number; isOffered: boolean; isReused: boolean };

export type TokenEvaluation = {
  turn: TokenTurn | undefined;
  /** Whether a copy of the token is in use. */
  isCopied: boolean;
  /** Generation that the visit's answer holds, if any. */
  next: number | undefined;
  /** The same for a submission that is sent again because its answer was lost. */
  nextAgain: number | undefined;
};

/**
 * What the generation of a token says. Only what was presented counts: a generation that was offered and never came is
 * an answer that was lost, or a component that keeps its first token for ever.
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

/** The finding about a visit whose token is in use in two places. */
export function reusedTokenFinding(presented: number, { generation }: TokenUse) {
  const isOlder = presented < generation;
  const renewals = (count: number) => (count === 1 ? "renewed once" : `renewed ${count} times`);
  return {
    ruleId: "identity.token-reused",
    reason: "ENVIRONMENT_INCONSISTENT" as const,
    status: "SUSPICIOUS" as const,
    explanation: isOlder
      ? "The visit brought an older state of its device token, after a newer one had been in use: the token exists in two places."
      : "An older state of this visit's device token came back within the last two days: the token exists in two places.",
    compared: [
      { label: "Token, this visit", value: renewals(presented), isOdd: isOlder },
      { label: "Token, newest state seen", value: renewals(Math.max(presented, generation)), isOdd: false },
    ],
    harmlessCauses: [
      "A browser profile that was restored from a backup",
      "A machine that is set back to a stored image again and again",
      "Two addresses of one host, on other ports, which share cookies but no other storage",
    ],
    source: "docs/identity.md: a token that was replaced by its next generation is not used any more",
  };
}
