import { idPattern } from "@/lib/contract/ids";

/**
 * An item by the form of its identifier. Anything that is no identifier may be an address, which is not validated yet.
 */
export type NamedItem = { kind: "visit" | "device" | "account" | "address"; value: string };

/** Determines the kind of a case item from its text. */
export function parseItem(text: string): NamedItem {
  const value = text.trim().toLowerCase();
  if (idPattern("imprint").test(value)) return { kind: "visit", value };
  if (idPattern("device").test(value)) return { kind: "device", value };
  if (idPattern("account").test(value)) return { kind: "account", value };
  return { kind: "address", value: text.trim() };
}
