import type { Db } from "@/db/client";
import { newId } from "@/lib/contract/ids";
import { actorId } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import type { CaseItem } from "./domain/case";
import { insertEntries, type NewEntry } from "./queries-items";

type Of = { workspaceId: string; caseId: string };
type Happened = Pick<NewEntry, "kind" | "text" | "former"> & { item?: CaseItem };

/** Adds entries to the history of a case. Call it in the transaction that makes the change. */
export async function recordEntries(
  tx: Db,
  { actor }: Pick<Context, "actor">,
  { workspaceId, caseId }: Of,
  happened: readonly Happened[],
): Promise<void> {
  await insertEntries(
    tx,
    happened.map(({ item, ...entry }) => ({
      ...{ workspaceId, caseId, entryId: newId("caseEntry") },
      ...{ actorKind: actor.kind, actorId: actorId(actor) },
      ...entry,
      ...(item ? { itemKind: item.kind, itemValue: item.value, deviceId: item.deviceId ?? null } : {}),
    })),
  );
}
