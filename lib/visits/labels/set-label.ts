import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { uuidToId } from "@/lib/contract/ids";
import type { Label, LabelSubject } from "@/lib/contract/labels";
import { type Access, authorize, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { identifyAccount } from "@/lib/visits/account-map";
import { hasSubject, lockLabel, removeLabel, storeLabel, type Subject } from "@/lib/visits/visit-store";
import { type NamedSubject, parseSubject } from "./domain/parse-subject";

export type SetLabel = {
  kind: LabelSubject;
  id: string;
  label: Label | null;
  previous: Label | null;
  labelledAt: Date | null;
};

const UNKNOWN: Record<LabelSubject, string> = {
  visit: "There is no such visit. It may be past its retention",
  device: "There is no such device",
  account: "No visit has been linked to this account yet",
};

async function subjectOf({ db }: Context, { workspaceId, plan }: Access, named: NamedSubject): Promise<Subject> {
  const parsed = parseSubject(named);
  if (parsed.kind === "account" && !PLAN_LIMITS[plan].hasAccountMap) throw new AppError("account_map_not_allowed");
  if ("id" in parsed) return { workspaceId, ...parsed };
  const { hash } = await identifyAccount(db, workspaceId, parsed.accountRef);
  return { workspaceId, kind: "account", id: uuidToId("account", Buffer.from(hash).toString("hex")) };
}

/** Like `setLabel`, for an actor that is already authorized. */
export async function applyLabel(
  context: Context,
  access: Access,
  { subject: named, label }: { subject: NamedSubject; label: Label | null },
): Promise<SetLabel> {
  const subject = await subjectOf(context, access, named);
  const { workspaceId, kind, id } = subject;
  const unknown = () => new AppError("not_found", { message: UNKNOWN[kind] });
  return await context.db.transaction(async (tx) => {
    const previous = (await lockLabel(tx, subject)) ?? null;
    const set = { kind, id, label, previous, labelledAt: null };
    if (label === null) {
      if (previous === null && !(await hasSubject(tx, subject))) throw unknown();
      if (previous === null) return set;
      await removeLabel(tx, subject);
    }
    const { actor } = context;
    const by = { actorKind: actor.kind, createdBy: actorId(actor) };
    const labelledAt = label === null ? null : await storeLabel(tx, subject, label, by);
    if (labelledAt === undefined) throw unknown();
    if (label !== previous)
      await recordAudit(tx, context, {
        workspaceId,
        action: label === null ? "label.remove" : "label.set",
        // The log outlives an erased account and must not name it.
        target: kind === "account" ? "account" : id,
        detail: { subject: kind, from: previous, to: label },
      });
    return { ...set, labelledAt };
  });
}

/**
 * Records what a visit, device or account turned out to be; null removes the label. Reports are not changed.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `invalid_account_ref`, `account_map_not_allowed`
 */
export async function setLabel(
  context: Context,
  { workspaceId, ...input }: { workspaceId: string; subject: NamedSubject; label: Label | null },
): Promise<SetLabel> {
  return await applyLabel(context, await authorize(context, workspaceId, "label.use"), input);
}
