const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long a message is retried, and how long an endpoint may keep failing before it is disabled. */
const PATIENCE_SECONDS = 72 * HOUR;

/** Delays between the attempts of one message. */
const DELAYS_SECONDS = [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR];
/** Upper bound for a response's `Retry-After`. */
const MAX_ASKED_SECONDS = HOUR;
/** Each delay is randomised by up to a fifth, so that messages that failed together are not retried together. */
const JITTER = 0.2;

/** Consecutive failed attempts, of any messages, after which an endpoint gets only one message at a time. */
export const UNREACHABLE_AFTER = 5;
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 10 * MINUTE;

/** Result of an attempt. `gone`: the endpoint answered 410 and wants no more messages. */
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

/** A message and its endpoint, before the failed attempt is counted. */
export type Failing = {
  /** Attempts of the message, including this one. */
  attempts: number;
  firstAttemptAt: Date;
  /** Consecutive earlier failures of the endpoint, and the time of the first. */
  failures: number;
  failingSince: Date | null;
  now: Date;
};

export type AfterFailure = {
  message: { kind: "retry"; afterSeconds: number } | { kind: "giveUp" };
  /** How long nothing is sent to the endpoint. */
  pauseSeconds: number;
  /** Why to disable the endpoint. Its messages then wait until it is resumed. */
  disable: "unreachable" | "gone" | undefined;
};

const secondsSince = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

const jittered = (seconds: number, random: number): number => seconds * (1 - JITTER + 2 * JITTER * random);

/** How long the endpoint pauses after its `failures`th consecutive failure. */
function pauseOf(failures: number, random: number): number {
  if (failures < UNREACHABLE_AFTER) return 0;
  const doubled = FIRST_PAUSE_SECONDS * 2 ** Math.min(failures - UNREACHABLE_AFTER, 20);
  return jittered(Math.min(doubled, MAX_PAUSE_SECONDS), random);
}

/** When to retry a message: for the last time when its patience ends, then no more. */
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
 * The consequences of a failed attempt. A message is given up after `PATIENCE_SECONDS`, so that later ones of its stream
 * can proceed; an endpoint that has accepted none of several attempts for that long is disabled.
 *
 * @param random from 0 to 1
 */
export function afterFailure(
  failing: Failing,
  outcome: Exclude<Outcome, { kind: "delivered" }>,
  random: number,
): AfterFailure {
  const { failures, failingSince, now } = failing;
  const isUnreachable =
    failures >= UNREACHABLE_AFTER && failingSince !== null && secondsSince(failingSince, now) >= PATIENCE_SECONDS;
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
