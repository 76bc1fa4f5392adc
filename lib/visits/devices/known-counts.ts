import { LRUCache } from "lru-cache";

import type { Population } from "./domain/population";

export type PopulationCounts = Omit<Population, "devices">;
/** Counts with the time of their counting, as the database writes it: what tells whether they are the newest. */
type Counted = { countedAt: string; counts: PopulationCounts };

/** Some kilobytes for each workspace. */
const known = new LRUCache<string, Counted>({ max: 500 });

/** The counts of a workspace as this process read them last. */
export const knownCounts = (workspaceId: string): Counted | undefined => known.get(workspaceId);

export function rememberCounts(workspaceId: string, counted: Counted): void {
  known.set(workspaceId, counted);
}
