import type { readCase } from "@/lib/tenancy/cases";

type Case = Awaited<ReturnType<typeof readCase>>;
export type CaseEntry = Case["entries"][number];

const STATUS_NAMES = { open: "open", in_progress: "in progress", closed: "closed" } as const;

/** `in progress` */
export const statusName = (status: string): string =>
  Object.entries(STATUS_NAMES).find(([known]) => known === status)?.[1] ?? status;

const KIND_NAMES = { visit: "visit", device: "device", address: "address", account: "account" } as const;

/** For example `visit imp_…`, with a note if the item was erased or is hidden from the actor. */
function itemText({ item }: CaseEntry): string {
  if (item === undefined) return "something";
  const name = KIND_NAMES[item.kind];
  if (item.value === null) return `a ${name} that has been erased`;
  return item.value === undefined ? `an item (${name}) that your role does not include` : `${name} ${item.value}`;
}

const withNote = (text: string, note: string): string => (note === "" ? text : `${text}: ${note}`);

/** Describes a history entry in a sentence without its subject. */
export function entryText(entry: CaseEntry, nameOf: (userId: string) => string): string {
  switch (entry.kind) {
    case "created":
      return `opened the case “${entry.text}”`;
    case "renamed":
      return `renamed the case from “${entry.former}” to “${entry.text}”`;
    case "status":
      return `set the status from ${statusName(entry.former)} to ${statusName(entry.text)}`;
    case "assigned":
      return entry.text === "" ? "unassigned the case" : `assigned the case to ${nameOf(entry.text)}`;
    case "added":
      return withNote(`added ${itemText(entry)}`, entry.text);
    case "removed":
      return `removed ${itemText(entry)}`;
    case "comment":
      return entry.text;
    case "exported":
      return `exported the evidence (${entry.text})`;
  }
}
