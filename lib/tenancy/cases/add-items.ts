import { AppError } from "@/lib/contract/errors";
import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { type CaseItem, ITEM_KINDS, MAX_ITEMS, MAX_NOTE, parseNote } from "./domain/case";
import { recordEntries } from "./entry";
import { lockCase } from "./lock-case";
import { updateCase } from "./queries";
import { countItems, insertItems } from "./queries-items";

type Input = { workspaceId: string; caseId: string; items: readonly CaseItem[]; note: string };

/** For example `{ visit: 2, account: 1 }`. */
const countedByKind = (items: readonly CaseItem[]) =>
  Object.fromEntries(
    ITEM_KINDS.map((kind) => [kind, items.filter((item) => item.kind === kind).length] as const).filter(
      ([, count]) => count > 0,
    ),
  );

/**
 * Adds items to a case and returns how many were new. The caller must have checked that they exist and that the actor may
 * see them. The audit log gets only their counts: it must not name accounts or IP addresses.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict`
 */
export async function addItems(context: Context, input: Input): Promise<{ caseId: string; added: number }> {
  const { workspaceId, caseId, items } = input;
  await authorize(context, workspaceId, "case.write");
  const note = parseNote(input.note);
  if (note === undefined)
    throw new AppError("invalid_request", { message: `A note is a single line of at most ${MAX_NOTE} characters` });
  return await context.db.transaction(async (tx) => {
    await lockCase(tx, input);
    const addedBy = actorId(context.actor);
    const added = items.length === 0 ? [] : await insertItems(tx, { workspaceId, caseId, items, note, addedBy });
    if (added.length === 0) return { caseId, added: 0 };
    if ((await countItems(tx, workspaceId, caseId)) > MAX_ITEMS)
      throw new AppError("conflict", { message: `A case can contain at most ${MAX_ITEMS} items. Open another one` });
    await updateCase(tx, workspaceId, caseId);
    const entries = added.map((item) => ({ kind: "added" as const, text: note, item }));
    await recordEntries(tx, context, input, entries);
    await recordAudit(tx, context, { workspaceId, action: "case.add", target: caseId, detail: countedByKind(added) });
    return { caseId, added: added.length };
  });
}
