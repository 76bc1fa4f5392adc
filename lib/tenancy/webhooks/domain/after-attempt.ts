const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** For how long a message is sent again and again, and an endpoint may fail. */
const PATIENCE_SECONDS = 72 * HOUR;

/** Between two attempts of one message. */
const DELAYS_SECONDS = [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR];
/** An answer's `Retry-After` is obeyed up to this. */
const MAX_ASKED_SECONDS = HOUR;
/** Each delay is up to a fifth shorter or longer, so that messages that failed together are not sent together again. */
const JITTER = 0.2;

/** From this many failed attempts on, of whichever messages, an endpoint is tried by one message at a time. */
export const UNREACHABLE_AFTER = 5;
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 10 * MINUTE;

/** What an attempt came to. `gone`: the endpoint asks for no more, by status 410. */
export type Outcome = { kind: "delivered" } | { kind: "failed"; askedSeconds?: number | undefined } | { kind: "gone" };

/** Seconds of a `Retry-After`, which is a number or a date. Source: RFC 9110, section 10.2.3. */
function secondsAsked(retryAfter: string | null, now: Date): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const seconds = (Date.parse(retryAfter) - now.getTime()) / 1000;
  return seconds > 0 ? seconds : undefined;
}

export function outcomeOf(status: number | undefined, retryAfter: string | null, now: Date): Outcome {
  if (status === undefined) return { kind: "failed" };
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  return { kind: "failed", askedSeconds: secondsAsked(retryAfter, now) };
}

/** A message and its endpoint before a failed attempt is counted. */
export type Failing = {
  /** Attempts of the message, this one included. */
  attempts: number;
  firstAttemptAt: Date;
  /** Attempts of the endpoint that failed before, and since when. */
  failures: number;
  failingSince: Date | null;
  now: Date;
};

export type AfterFailure = {
  message: { kind: "retry"; afterSeconds: number } | { kind: "giveUp" };
  /** Nothing is sent to the endpoint for so long. */
  pauseSeconds: number;
  /** Why the endpoint is disabled; its messages wait until it is switched on again. */
  disable: "unreachable" | "gone" | undefined;
};

const secondsSince = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

const jittered = (seconds: number, random: number): number => seconds * (1 - JITTER + 2 * JITTER * random);

/** The pause of an endpoint after its `failures`th failed attempt in a row. */
function pauseOf(failures: number, random: number): number {
  if (failures < UNREACHABLE_AFTER) return 0;
  const doubled = FIRST_PAUSE_SECONDS * 2 ** Math.min(failures - UNREACHABLE_AFTER, 20);
  return jittered(Math.min(doubled, MAX_PAUSE_SECONDS), random);
}

/** When a message is sent again: a last time when its patience ends, and then no more. */
function messageAfter(
  { attempts, firstAttemptAt, now }: Failing,
  asked: number,
  random: number,
): AfterFailure["message"] {
  const left = PATIENCE_SECONDS - secondsSince(firstAttemptAt, now);
  if (left <= 0) return { kind: "giveUp" };
  const delay = DELAYS_SECONDS[Math.min(attempts, DELAYS_SECONDS.length) - 1] ?? 0;
  const wanted = Math.max(jittered(delay, random), Math.min(asked, MAX_ASKED_SECONDS));
  return { kind: "retry", afterSeconds: Math.min(wanted, left) };
}

/**
 * What follows from a failed attempt. A message is given up after `PATIENCE_SECONDS`, so that the later ones of its stream
 * go on; an endpoint that accepted nothing for as long is disabled with its messages.
 *
 * @param random from 0 to 1
 */
export function afterFailure(
  failing: Failing,
  outcome: Exclude<Outcome, { kind: "delivered" }>,
  random: number,
): AfterFailure {
  const { failures, failingSince, now } = failing;
  const isUnreachable = failingSince !== null && secondsSince(failingSince, now) >= PATIENCE_SECONDS;
  if (outcome.kind === "gone" || isUnreachable)
    return {
      message: { kind: "retry", afterSeconds: 0 },
      pauseSeconds: 0,
      disable: outcome.kind === "gone" ? "gone" : "unreachable",
    };
  return {
    message: messageAfter(failing, outcome.askedSeconds ?? 0, random),
    pauseSeconds: pauseOf(failures + 1, random),
    disable: undefined,
  };
}
