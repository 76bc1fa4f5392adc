import { LRUCache } from "lru-cache";

import type { Population } from "./domain/population";

export type PopulationCounts = Omit<Population, "devices">;
/** Counts and when they were made, as formatted by the database; tells whether they are the newest. */
type Counted = { countedAt: string; counts: PopulationCounts };

/** A few kilobytes per workspace. */
const known = new LRUCache<string, Counted>({ max: 500 });

/** A workspace's counts as last read by this process. */
export const knownCounts = (workspaceId: string): Counted | undefined => known.get(workspaceId);

export function rememberCounts(workspaceId: string, counted: Counted): void {
  known.set(workspaceId, counted);
}
