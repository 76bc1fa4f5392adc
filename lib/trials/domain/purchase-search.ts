import { idPattern } from "@/lib/contract/ids";

/** A field of purchases, and the value to search for in its stored form. */
export type PurchaseSearch = { by: "intent" | "trial" | "transaction" | "payer" | "origin"; value: string };

/** An EVM transaction hash. */
export const TRANSACTION = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const MAX_CHARACTERS = 300;

/** Undefined if `text` is neither an id, a transaction hash, a chain address nor an origin. */
export function parsePurchaseSearch(text: string): PurchaseSearch | undefined {
  const value = text.trim();
  const lower = value.toLowerCase();
  if (idPattern("intent").test(lower)) return { by: "intent", value: lower };
  if (idPattern("trial").test(value) && value.length <= MAX_CHARACTERS) return { by: "trial", value };
  if (TRANSACTION.test(lower)) return { by: "transaction", value: lower };
  if (ADDRESS.test(lower)) return { by: "payer", value: lower };
  return /^https?:\/\/\S+$/.test(lower) && value.length <= MAX_CHARACTERS ? { by: "origin", value: lower } : undefined;
}
