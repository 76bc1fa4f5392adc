import type { Db } from "@/db/client";
import { idPattern } from "@/lib/ids";
import type { Plan } from "@/lib/workspaces";
import type { WebAppState } from "./domain/web-app-state";
import { findEnvironment } from "./queries";

export type Environment = {
  environmentId: string;
  workspaceId: string;
  webAppId: string;
  state: WebAppState;
  plan: Plan;
  /** As browsers send them: compare texts. */
  origins: string[];
};

/** Where a submission belongs and which origins may send it; nothing for an unknown environment. One round trip. */
export async function resolveEnvironment(db: Db, environmentId: string): Promise<Environment | undefined> {
  if (!idPattern("environment").test(environmentId)) return undefined;
  const found = await findEnvironment(db, environmentId);
  return found && { environmentId, ...found };
}
