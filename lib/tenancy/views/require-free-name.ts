import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { hasViewNamed } from "./queries";

/** @throws AppError `conflict` if a view of the workspace already has this name */
export async function requireFreeName(tx: Db, workspaceId: string, name: string): Promise<void> {
  if (await hasViewNamed(tx, workspaceId, name))
    throw new AppError("conflict", { message: "A view with this name already exists" });
}
