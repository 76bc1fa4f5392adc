import type { Db } from "@/db/client";
import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { requireOperator } from "@/lib/workspaces";
import { currentKeyId, rewrap, type Sealed } from "./envelope";

/** A column of sealed secrets. The feature that owns the table writes one. */
export type SealedStore = {
  /** `table.column` */
  name: string;
  /** At most `limit` rows that are not sealed under `keyId`, with what each is bound to. */
  listNotUnder: (db: Db, keyId: string, limit: number) => Promise<{ boundTo: string; sealed: Sealed }[]>;
  /** Replaces the value of a row that still holds `old`; whether it did. */
  replace: (db: Db, row: { boundTo: string; old: Sealed; fresh: Sealed }) => Promise<boolean>;
};

const BATCH = 200;

async function rewrapStore(db: Db, store: SealedStore): Promise<number> {
  const keyId = currentKeyId();
  let count = 0;
  for (;;) {
    const rows = await store.listNotUnder(db, keyId, BATCH);
    if (rows.length === 0) return count;
    for (const { boundTo, sealed } of rows) {
      // A row that was erased or sealed anew meanwhile needs nothing more.
      if (await store.replace(db, { boundTo, old: sealed, fresh: rewrap(sealed, boundTo) })) count += 1;
    }
  }
}

/**
 * Puts every sealed secret under the current key-encryption key, so that older keys may leave `KEKS`. Safe beside a
 * running service and safe to repeat.
 *
 * @throws AppError `forbidden`; Error when a secret's key is missing or its value was changed
 */
export async function rewrapSealed(context: Context, stores: readonly SealedStore[]) {
  requireOperator(context);
  const rewrapped: Record<string, number> = {};
  for (const store of stores) rewrapped[store.name] = await rewrapStore(context.db, store);
  const keyId = currentKeyId();
  await recordAudit(context.db, context, {
    workspaceId: SYSTEM_WORKSPACE_ID,
    action: "secret.rewrap",
    target: keyId,
    detail: rewrapped,
  });
  return { keyId, rewrapped };
}

/** Names of the stores that hold secrets which need an older key than the current one. */
export async function listStoresUnderOlderKeys(db: Db, stores: readonly SealedStore[]): Promise<string[]> {
  const keyId = currentKeyId();
  const found = await Promise.all(
    stores.map(async (store) => ((await store.listNotUnder(db, keyId, 1)).length > 0 ? [store.name] : [])),
  );
  return found.flat();
}
