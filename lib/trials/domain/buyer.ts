import { parsePurchaseSearch } from "./purchase-search";

/** The origin that a trial is for, or the paying address in lower case. */
export type Buyer = { kind: "origin" | "payer"; value: string };

/** Undefined when `text` is neither an address of the chain nor an http(s) URL. */
export function parseBuyer(text: string): Buyer | undefined {
  const found = parsePurchaseSearch(text);
  return found?.by === "payer" || found?.by === "origin" ? { kind: found.by, value: found.value } : undefined;
}
