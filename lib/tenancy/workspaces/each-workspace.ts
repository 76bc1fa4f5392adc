import type { Db } from "@/db/client";
import { listRetentions } from "./queries";

const WORKSPACES = 200;

/** All workspaces in order, some at a time, each with its own number of days for visits, if it has one. */
export async function* workspacePages(db: Db) {
  for (let last: string | undefined; ;) {
    const workspaces = await listRetentions(db, last, WORKSPACES);
    yield workspaces;
    last = workspaces.at(-1)?.workspaceId;
    if (workspaces.length < WORKSPACES) return;
  }
}

/** Every workspace in order, with its own number of days for visits, if it has one. */
export async function* eachWorkspace(db: Db) {
  for await (const page of workspacePages(db)) yield* page;
}
