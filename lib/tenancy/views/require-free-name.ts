import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { hasViewNamed } from "./queries";

/** @throws AppError `conflict` when a view of the workspace has the name */
export async function requireFreeName(tx: Db, workspaceId: string, name: string): Promise<void> {
  if (await hasViewNamed(tx, workspaceId, name))
    throw new AppError("conflict", { message: "There is a view of this name already" });
}
