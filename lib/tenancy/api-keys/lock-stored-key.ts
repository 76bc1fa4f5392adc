import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { requireId } from "@/lib/tenancy/workspaces";
import { keyState } from "./domain/key-state";
import { lockKey } from "./queries";

export const UNKNOWN_KEY = "There is no such API key in this workspace";

/**
 * The key and its state, locked until the end of the transaction.
 *
 * @throws AppError `not_found`
 */
export async function lockStoredKey(tx: Db, workspaceId: string, keyId: string) {
  const key = await lockKey(tx, workspaceId, requireId("apiKey", keyId, UNKNOWN_KEY));
  if (!key) throw new AppError("not_found", { message: UNKNOWN_KEY });
  return { ...key, state: keyState(key, key.now) };
}
