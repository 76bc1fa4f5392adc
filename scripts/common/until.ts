import { setTimeout as delay } from "node:timers/promises";

type Limits = {
  /** Message of the error if nothing is found. */
  what: string | (() => string);
  timeoutMs: number;
  everyMs?: number;
  /** Whether there is nothing left to wait for. */
  isDead?: () => boolean;
};
type Found<T> = T | false | undefined;

/**
 * Looks repeatedly until there is something other than `undefined` and `false`.
 *
 * @throws Error
 */
export async function until<T>(
  look: () => Found<T> | Promise<Found<T>>,
  { what, timeoutMs, everyMs = 100, isDead = () => false }: Limits,
): Promise<T> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (isDead() || performance.now() > endsAt) throw new Error(typeof what === "string" ? what : what());
    await delay(everyMs);
  }
}

const SALE_TIMEOUT_MS = 60_000;

/** Waits until a service has connected to its facilitator and its node, and sells trials. */
export async function untilOnSale({ url }: { url: string }): Promise<void> {
  let catalog = "";
  const isOnSale = async () => {
    catalog = await (await fetch(`${url}/api/v1/agent/products`)).text();
    return /"available":\s*true/.test(catalog);
  };
  await until(isOnSale, { what: () => `No product is on sale: ${catalog}`, timeoutMs: SALE_TIMEOUT_MS });
}
