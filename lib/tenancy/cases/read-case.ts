import { AppError } from "@/lib/contract/errors";
import { pageOf, requirePosition } from "@/lib/platform/cursor";
import { actorId } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { type Access, authorize, holds, PLAN_LIMITS, requireId } from "@/lib/tenancy/workspaces";
import { type ItemKind, MAX_ITEMS } from "./domain/case";
import { UNKNOWN_CASE } from "./lock-case";
import { findCase } from "./queries";
import { listEntryRows, listItemRows } from "./queries-items";

const PAGE = 50;

/** Whether the actor may see the value of items of this kind. */
const mayKnow = ({ canSeeAddresses, plan }: Access, kind: ItemKind): boolean =>
  (kind !== "address" || canSeeAddresses) && (kind !== "account" || PLAN_LIMITS[plan].hasAccountMap);

type EntryRow = Awaited<ReturnType<typeof listEntryRows>>[number]["entry"];

/** An entry as shown to this actor. A note on a hidden item is hidden as well. */
function entryFor(access: Access, isDeletable: boolean, { itemKind, itemValue, ...entry }: EntryRow) {
  const isKnown = itemKind === null || mayKnow(access, itemKind);
  return {
    ...entry,
    text: isKnown ? entry.text : "",
    item: itemKind === null ? undefined : { kind: itemKind, value: isKnown ? itemValue : undefined },
    canDelete: entry.kind === "comment" && isDeletable,
  };
}

/**
 * A case with its items and one page of its history, newest first. The value of an item is undefined if the actor may not
 * see it, and that of an entry is null after erasure.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function readCase(
  context: Context,
  input: { workspaceId: string; caseId: string; cursor?: string | undefined },
) {
  const { workspaceId, cursor } = input;
  const { db, actor } = context;
  const access = await authorize(context, workspaceId, "case.read");
  const caseId = requireId("case", input.caseId, UNKNOWN_CASE);
  const before = requirePosition("caseEntry", cursor, "list");
  const [found, items, rows] = await Promise.all([
    findCase(db, workspaceId, caseId),
    listItemRows(db, workspaceId, caseId, MAX_ITEMS),
    listEntryRows(db, { workspaceId, caseId }, { before, limit: PAGE + 1 }),
  ]);
  if (!found) throw new AppError("not_found", { message: UNKNOWN_CASE });
  const { shown, nextCursor } = pageOf(rows, PAGE, ({ position }) => position);
  const canDelete = holds(access, "case.delete");
  const isOwn = (id: string) => actor.kind === "user" && id === actorId(actor);
  return {
    ...found,
    items: items.map(({ value, note, ...item }) => {
      const isKnown = mayKnow(access, item.kind);
      return { ...item, value: isKnown ? value : undefined, note: isKnown ? note : "" };
    }),
    entries: shown.map(({ entry }) => entryFor(access, canDelete || isOwn(entry.actorId), entry)),
    nextCursor,
    canDelete,
    addressesVisible: access.canSeeAddresses,
  };
}
