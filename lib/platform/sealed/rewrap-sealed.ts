import type { Db } from "@/db/client";
import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { currentKeyId, rewrap, type Sealed } from "./envelope";

/** A column of sealed secrets, implemented by the feature that owns the table. */
export type SealedStore = {
  /** `table.column` */
  name: string;
  /** Up to `limit` rows that are not sealed under `keyId`, with what each is bound to. */
  listNotUnder: (db: Db, keyId: string, limit: number) => Promise<{ boundTo: string; sealed: Sealed }[]>;
  /** Compare-and-set: false when the row no longer contains `old`. */
  replace: (db: Db, row: { boundTo: string; old: Sealed; fresh: Sealed }) => Promise<boolean>;
};

const BATCH = 200;

/** Told after each batch: the store's name, how many of its secrets are rewrapped, and the share of the stores done. */
export type OnRewrapped = (name: string, count: number, share: number) => void;

/** @throws Error as `rewrap` does, with the row of the secret */
function rewrapNamed(sealed: Sealed, boundTo: string): Sealed {
  try {
    return rewrap(sealed, boundTo);
  } catch (error) {
    throw new Error(`${boundTo}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function rewrapStore(db: Db, store: SealedStore, onBatch: (count: number) => void): Promise<number> {
  const keyId = currentKeyId();
  let count = 0;
  for (;;) {
    const rows = await store.listNotUnder(db, keyId, BATCH);
    if (rows.length === 0) return count;
    for (const { boundTo, sealed } of rows) {
      // False: the row was erased or sealed again concurrently.
      if (await store.replace(db, { boundTo, old: sealed, fresh: rewrapNamed(sealed, boundTo) })) count += 1;
    }
    onBatch(count);
  }
}

/**
 * Rewraps every sealed secret under the current key-encryption key, so that older keys can be removed from `KEKS`. Safe
 * while the service runs, and idempotent.
 *
 * @throws AppError `forbidden`; Error if a secret's key is missing or its value was modified
 */
export async function rewrapSealed(
  context: Context,
  stores: readonly SealedStore[],
  onRewrapped: OnRewrapped = () => undefined,
) {
  requireOperator(context);
  const rewrapped: Record<string, number> = {};
  for (const [index, store] of stores.entries())
    rewrapped[store.name] = await rewrapStore(context.db, store, (count) => {
      onRewrapped(store.name, count, index / stores.length);
    });
  const keyId = currentKeyId();
  await recordAudit(context.db, context, {
    workspaceId: SYSTEM_WORKSPACE_ID,
    action: "secret.rewrap",
    target: keyId,
    detail: rewrapped,
  });
  return { keyId, rewrapped };
}

/** No key has this id, so it matches all sealed secrets. */
const NO_KEY = "";

/**
 * Whether a key-encryption key must be kept. Conservative for older keys: any secret that is not under the current key may
 * need one.
 */
export async function isKeyInUse(db: Db, stores: readonly SealedStore[], keyId: string): Promise<boolean> {
  const other = keyId === currentKeyId() ? NO_KEY : currentKeyId();
  const found = await Promise.all(stores.map((store) => store.listNotUnder(db, other, 1)));
  return found.some((rows) => rows.length > 0);
}
