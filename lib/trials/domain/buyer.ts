import { parsePurchaseSearch } from "./purchase-search";

/** Who buys: the origin that a trial is for, or the address that pays, in lower case. */
export type Buyer = { kind: "origin" | "payer"; value: string };

/** What `text` names; nothing when it is neither an address of the chain nor looks like an origin. */
export function parseBuyer(text: string): Buyer | undefined {
  const found = parsePurchaseSearch(text);
  return found?.by === "payer" || found?.by === "origin" ? { kind: found.by, value: found.value } : undefined;
}
