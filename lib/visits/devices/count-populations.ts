import type { Db } from "@/db/client";
import { log } from "@/lib/platform/log";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { workspacePages } from "@/lib/tenancy/workspaces";
import { countPopulation } from "./domain/count-population";
import {
  findPopulationSample,
  freeDisprovedTokens,
  listUncountedWorkspaces,
  savePopulation,
  tallyStrata,
} from "@/lib/visits/visit-store";

const SAMPLE = 2_000;
/** More say nothing new. */
const NEW_TOKENS = 20_000;

/** Counts the devices of a workspace, and ends links there that were wrong. */
export async function countPopulationOf(db: Db, workspaceId: string): Promise<void> {
  const { devices, profiles } = await findPopulationSample(db, workspaceId, SAMPLE);
  const tallies = await tallyStrata(db, workspaceId, NEW_TOKENS);
  await savePopulation(db, workspaceId, countPopulation(devices, profiles, tallies));
  const freed = await freeDisprovedTokens(db, workspaceId, NEW_TOKENS);
  if (freed > 0) log.info({ workspace: workspaceId, tokens: freed }, "links that were disproved have ended");
}

async function* uncountedWorkspaces(db: Db) {
  for await (const page of workspacePages(db))
    yield* await listUncountedWorkspaces(
      db,
      page.map(({ workspaceId }) => workspaceId),
    );
}

/**
 * Counts the devices of every workspace that had visits since it was last counted, and ends links there that were wrong;
 * the number of workspaces.
 */
export async function countPopulations(db: Db, signal: AbortSignal): Promise<number> {
  return await eachInTurn(uncountedWorkspaces(db), signal, (workspaceId) => countPopulationOf(db, workspaceId));
}
