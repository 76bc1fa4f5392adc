import { randomBytes } from "node:crypto";

import { LRUCache } from "lru-cache";

import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { open, seal } from "@/lib/platform/sealed";
import { hmac } from "@/lib/platform/secrets";
import { refuseAccountRef } from "./domain/account-ref";
import type { Account } from "@/lib/visits/visit-store";
import { boundTo, findSealedKey, insertSealedKey } from "./queries-keys";

const KEY_BYTES = 32;
const HASH_BYTES = 16;

/** Keys by workspace. A stored key never changes, only its wrapping does. */
const known = new LRUCache<string, Buffer>({ max: 10_000 });

async function keyOf(db: Db, workspaceId: string): Promise<Buffer> {
  const found = known.get(workspaceId);
  if (found) return found;
  let sealed = await findSealedKey(db, workspaceId);
  if (sealed === undefined) {
    await insertSealedKey(db, workspaceId, seal(randomBytes(KEY_BYTES).toString("base64"), boundTo(workspaceId)));
    sealed = await findSealedKey(db, workspaceId);
  }
  if (sealed === undefined) throw new Error("the key of the workspace's account references was not stored");
  const key = Buffer.from(open(sealed, boundTo(workspaceId)), "base64");
  known.set(workspaceId, key);
  return key;
}

/**
 * Identifies the account of a reference. Only an HMAC of the reference under the workspace's own key is ever stored.
 *
 * @throws AppError `invalid_account_ref`
 */
export async function identifyAccount(db: Db, workspaceId: string, accountRef: string): Promise<Account> {
  const reason = refuseAccountRef(accountRef);
  if (reason !== undefined) throw new AppError("invalid_account_ref", { message: reason });
  const key = await keyOf(db, workspaceId);
  return { workspaceId, hash: hmac(key, accountRef).subarray(0, HASH_BYTES) };
}
