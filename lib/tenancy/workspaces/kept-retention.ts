import { env } from "@/lib/platform/env";
import { keptDays } from "./domain/retention";

/** Effective retention of visits in days, given a workspace's own setting. */
export const keptRetention = (ownDays: number | null): number => keptDays(ownDays, env.RETENTION_DAYS);
