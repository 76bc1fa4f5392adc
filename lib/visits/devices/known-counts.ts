import type { Population } from "./domain/population";

export type PopulationCounts = Omit<Population, "devices">;
/** Counts with the time of their counting, as the database writes it: what tells whether they are the newest. */
type Counted = { countedAt: string; counts: PopulationCounts };

/** Some kilobytes each. */
const MAX_WORKSPACES = 500;
const known = new Map<string, Counted>();

/** The counts of a workspace as this process read them last. */
export const knownCounts = (workspaceId: string): Counted | undefined => known.get(workspaceId);

/** Remembers counts; of too many workspaces, those that were counted longest ago are forgotten. */
export function rememberCounts(workspaceId: string, counted: Counted): void {
  known.delete(workspaceId);
  known.set(workspaceId, counted);
  const [oldest] = known.size > MAX_WORKSPACES ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
}
