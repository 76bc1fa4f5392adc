import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { requireId } from "@/lib/tenancy/workspaces";
import { keyState } from "./domain/key-state";
import { lockKey } from "./queries";

const MESSAGE = "There is no such API key in this workspace";

/**
 * The key and its state, locked until the end of the transaction.
 *
 * @throws AppError `not_found`
 */
export async function lockStoredKey(tx: Db, workspaceId: string, keyId: string) {
  const key = await lockKey(tx, workspaceId, requireId("apiKey", keyId, MESSAGE));
  if (!key) throw new AppError("not_found", { message: MESSAGE });
  return { ...key, state: keyState(key, key.now) };
}
