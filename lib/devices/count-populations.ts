import type { Db } from "@/db/client";
import { countPopulation } from "./domain/count-population";
import { findPopulationSample, listUncountedWorkspaces, savePopulation } from "./queries-population";

const SAMPLE = 2_000;
const WORKSPACES = 200;

/** Counts the devices of every workspace that had visits since it was last counted; the number of workspaces. */
export async function countPopulations(db: Db, signal: AbortSignal): Promise<number> {
  let counted = 0;
  for (let after: string | undefined; ;) {
    const workspaceIds = await listUncountedWorkspaces(db, after, WORKSPACES);
    for (const workspaceId of workspaceIds) {
      if (signal.aborted) return counted;
      const { devices, profiles } = await findPopulationSample(db, workspaceId, SAMPLE);
      await savePopulation(db, workspaceId, countPopulation(devices, profiles));
      counted += 1;
    }
    after = workspaceIds.at(-1);
    if (workspaceIds.length < WORKSPACES) return counted;
  }
}
