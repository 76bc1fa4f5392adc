import { env } from "@/lib/platform/env";
import { keptDays } from "./domain/retention";

/** For how many days visits are kept where a workspace asks for `ownDays`. */
export const keptRetention = (ownDays: number | null): number => keptDays(ownDays, env.RETENTION_DAYS);
