import { idPattern } from "@/lib/contract/ids";

/** What a pasted text names: a purchase, its trial, a transaction or the payer's address on the chain, or an origin. */
export type PurchaseSearch = { by: "intent" | "trial" | "transaction" | "payer" | "origin"; value: string };

/** A transaction of an EVM chain. */
export const TRANSACTION = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const LONGEST = 300;

/** What `text` may be; nothing for a text that can name no purchase. */
export function parsePurchaseSearch(text: string): PurchaseSearch | undefined {
  const value = text.trim();
  const lower = value.toLowerCase();
  if (idPattern("intent").test(lower)) return { by: "intent", value: lower };
  if (idPattern("trial").test(value) && value.length <= LONGEST) return { by: "trial", value };
  if (TRANSACTION.test(lower)) return { by: "transaction", value: lower };
  if (ADDRESS.test(lower)) return { by: "payer", value: lower };
  return /^https?:\/\/\S+$/.test(lower) && value.length <= LONGEST ? { by: "origin", value: lower } : undefined;
}
