import type { Db } from "@/db/client";
import { sha256 } from "@/lib/platform/secrets";
import { findIntentByClaim } from "./queries-intents";

/** The holder of a self-generated claim token, and the purchase started with it, if any. */
export type PurchasePrincipal = {
  claimHash: Uint8Array;
  found: { intentId: string; origin: string } | undefined;
};

export async function identifyPurchase(db: Db, claimToken: string): Promise<PurchasePrincipal> {
  const claimHash = sha256(claimToken);
  return { claimHash, found: await findIntentByClaim(db, claimHash) };
}
