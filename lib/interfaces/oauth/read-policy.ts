import { type Database, database } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { findPolicy, type McpPolicy } from "./queries-policy";

/** Cache time; a change takes effect in every process after it. */
const FRESH_MS = 1_000;

type Known = { db: Database; policy: McpPolicy; readAt: number };

let known: Known | undefined;

/** Invalidates the cached policy. The process's other module graph refreshes within a second. */
export function invalidatePolicy(): void {
  known = undefined;
}

/** The policy, cached for a second; the last known one while the database is unavailable. */
export async function currentPolicy(): Promise<McpPolicy> {
  const db = database();
  const last = known?.db === db ? known : undefined;
  const readAt = performance.now();
  if (last && readAt - last.readAt < FRESH_MS) return last.policy;
  try {
    known = { db, policy: await findPolicy(db), readAt };
    return known.policy;
  } catch (error) {
    if (last) return last.policy;
    throw error;
  }
}

/** Whether the MCP server is on; true if the policy cannot be read. */
export const isMcpOn = (): Promise<boolean> =>
  currentPolicy().then(
    ({ isEnabled }) => isEnabled,
    () => true,
  );

/** @throws AppError mcp_disabled while the operator has switched the MCP server off */
export async function requireMcpOn(): Promise<void> {
  if (!(await currentPolicy()).isEnabled) throw new AppError("mcp_disabled");
}
