import type { Db } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { describeControl, type LinkControl } from "./domain/link-control";
import { findTallies, listTallies } from "@/lib/visits/visit-store";

export type { LinkControl };

/**
 * Reads in which strata evidence may link visits to devices, and what the workspace learnt about that from returned
 * tokens.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readLinkControl(
  context: Context,
  { workspaceId }: { workspaceId: string },
): Promise<LinkControl> {
  await authorize(context, workspaceId, "report.read");
  return describeControl((await findTallies(context.db, workspaceId)) ?? {});
}

const MAX_WORKSPACES = 1_000;

/** Counts the recently counted workspaces, and those of them in which links are made at all. */
export async function countLinkingWorkspaces(db: Db): Promise<{ counted: number; linking: number }> {
  const controls = (await listTallies(db, MAX_WORKSPACES)).map(describeControl);
  const linking = controls.filter(({ places }) => places.some(({ isOpen }) => isOpen)).length;
  return { counted: controls.length, linking };
}
