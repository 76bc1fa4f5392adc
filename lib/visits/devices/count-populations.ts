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
/** A larger sample does not change the result. */
const NEW_TOKENS = 20_000;

/** Counts a workspace's devices and ends links that turned out to be wrong. */
export async function countPopulationOf(db: Db, workspaceId: string): Promise<void> {
  const { devices, profiles } = await findPopulationSample(db, workspaceId, SAMPLE);
  const tallies = await tallyStrata(db, workspaceId, NEW_TOKENS);
  await savePopulation(db, workspaceId, countPopulation(devices, profiles, tallies));
  const freed = await freeDisprovedTokens(db, workspaceId, NEW_TOKENS);
  if (freed > 0) log.info({ workspace: workspaceId, tokens: freed }, "ended links that tokens disproved");
}

async function* uncountedWorkspaces(db: Db) {
  for await (const page of workspacePages(db))
    yield* await listUncountedWorkspaces(
      db,
      page.map(({ workspaceId }) => workspaceId),
    );
}

/**
 * Counts the devices of every workspace that had visits since its last count, and ends links that turned out to be
 * wrong.
 *
 * @returns number of workspaces counted
 */
export async function countPopulations(db: Db, signal: AbortSignal): Promise<number> {
  return await eachInTurn(uncountedWorkspaces(db), signal, (workspaceId) => countPopulationOf(db, workspaceId));
}
