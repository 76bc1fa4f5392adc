import { idPattern } from "@/lib/contract/ids";

/** What an identifier names; what is no identifier may be an address, which is yet to be read. */
export type NamedItem = { kind: "visit" | "device" | "account" | "address"; value: string };

/** What a text that names an item of a case stands for, by its form. */
export function parseItem(text: string): NamedItem {
  const value = text.trim().toLowerCase();
  if (idPattern("imprint").test(value)) return { kind: "visit", value };
  if (idPattern("device").test(value)) return { kind: "device", value };
  if (idPattern("account").test(value)) return { kind: "account", value };
  return { kind: "address", value: text.trim() };
}
