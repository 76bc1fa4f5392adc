/** Thrown by a signal when the browser or the page forbids it, as browsers themselves do. */
export const BLOCKED = new DOMException("", "SecurityError");

const MAX_TEXT = 128;
const MAX_ITEMS = 16;

/** The value of `read`, or undefined when it throws: pages and extensions do replace getters. */
export const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** A string as the contract takes it: bounded, without NUL and lone surrogates. Undefined for anything else. */
export const textUpTo =
  (max: number) =>
  (value: unknown): string | undefined =>
    typeof value === "string" ? value.slice(0, max).replace(/[\0\p{Cs}]/gu, "") : undefined;

export const text = textUpTo(MAX_TEXT);

export const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.slice(0, MAX_ITEMS).map((item) => text(item) ?? "") : undefined;

/** A finite number or undefined. */
export const number = (value: unknown): number | undefined => (Number.isFinite(value) ? (value as number) : undefined);

export const flag = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);

type Check = (value: unknown) => unknown;

/** The checked values of `names`, separated by spaces. A getter that throws leaves only its own field empty. */
export const pick = (source: unknown, check: Check, names: string) =>
  Object.fromEntries(
    names.split(" ").map((name) => [name, check(attempt(() => (source as Record<string, unknown>)[name]))]),
  );

/** One digit for each item: 1 where `test` holds, 0 where it fails or throws. */
export const bitmap = <T>(items: readonly T[], test: (item: T) => unknown): string =>
  items.map((item) => (attempt(() => test(item)) ? 1 : 0)).join("");

export const wait = <T = undefined>(ms: number, value?: T) =>
  new Promise<T | undefined>((resolve) => setTimeout(resolve, ms, value));

/** What `read` resolves to, or `late` after `ms`. Called inside: `read` itself may throw. */
export const within = <T, Late = undefined>(read: () => T, ms: number, late?: Late) =>
  Promise.race([Promise.resolve().then(read), wait(ms, late)]);

type WithScheduler = { scheduler?: { postTask: (task: () => void, options: object) => Promise<void> } };

/**
 * Lets the page, and the replies that earlier signals wait for, have their turn. A browser without a scheduler (Safari)
 * goes on in the same task: a timer would be throttled in pages that are not in front. So does a page that has something
 * of its own under that name.
 */
export const yieldTask = () => attempt(() => (globalThis as WithScheduler).scheduler?.postTask(() => undefined, {}));
