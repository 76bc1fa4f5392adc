import type { Db } from "@/db/client";
import { listRetentions } from "./queries";

const WORKSPACES = 200;

/** All workspaces ordered by id, in pages, each with its own retention in days, if any. */
export async function* workspacePages(db: Db) {
  for (let last: string | undefined; ;) {
    const workspaces = await listRetentions(db, last, WORKSPACES);
    yield workspaces;
    last = workspaces.at(-1)?.workspaceId;
    if (workspaces.length < WORKSPACES) return;
  }
}

/** All workspaces ordered by id, each with its own retention in days, if any. */
export async function* eachWorkspace(db: Db) {
  for await (const page of workspacePages(db)) yield* page;
}
