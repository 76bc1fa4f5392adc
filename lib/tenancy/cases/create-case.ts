import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, lockWorkspace, requireName } from "@/lib/tenancy/workspaces";
import { MAX_CASES } from "./domain/case";
import { recordEntries } from "./entry";
import { countCases, insertCase } from "./queries";

/**
 * Opens a case, assigned to its creator if that is a member.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict`
 */
export async function createCase(context: Context, input: { workspaceId: string; name: string }) {
  const { workspaceId } = input;
  const { role } = await authorize(context, workspaceId, "case.write");
  const [name, caseId, createdBy] = [requireName(input.name), newId("case"), actorId(context.actor)];
  await context.db.transaction(async (tx) => {
    // Serialised, so that the limit is exact.
    await lockWorkspace(tx, workspaceId);
    if ((await countCases(tx, workspaceId)) >= MAX_CASES)
      throw new AppError("conflict", {
        message: `A workspace can have at most ${MAX_CASES} cases. Delete old ones first`,
      });
    const assigneeId = role === undefined ? "" : createdBy;
    await insertCase(tx, { workspaceId, caseId, name, createdBy, assigneeId });
    await recordEntries(tx, context, { workspaceId, caseId }, [{ kind: "created", text: name }]);
    await recordAudit(tx, context, { workspaceId, action: "case.create", target: caseId });
  });
  return { caseId, name };
}
