import { parsePurchaseSearch } from "./purchase-search";

/** The origin for which a trial is bought, or the payer's address in lower case. */
export type Buyer = { kind: "origin" | "payer"; value: string };

/** Undefined if `text` is neither a chain address nor an http(s) URL. */
export function parseBuyer(text: string): Buyer | undefined {
  const found = parsePurchaseSearch(text);
  return found?.by === "payer" || found?.by === "origin" ? { kind: found.by, value: found.value } : undefined;
}
