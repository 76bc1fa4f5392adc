import { type Database, database } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { findPolicy, type McpPolicy } from "./queries-policy";

/** A change holds in every process after this time. */
const FRESH_MS = 1_000;

type Known = { db: Database; policy: McpPolicy; readAt: number };

let known: Known | undefined;

/** Has the next request read the policy anew; another module graph of this process does so within a second. */
export function forgetPolicy(): void {
  known = undefined;
}

/** The policy as it was at most a second ago; while the database is unavailable, as it was last known. */
export async function presentPolicy(): Promise<McpPolicy> {
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

/** Whether the MCP server is on; so it is taken to be while nobody can tell. */
export const isMcpOn = (): Promise<boolean> =>
  presentPolicy().then(
    ({ isEnabled }) => isEnabled,
    () => true,
  );

/** @throws AppError mcp_disabled while the operator has the MCP server off */
export async function requireMcpOn(): Promise<void> {
  if (!(await presentPolicy()).isEnabled) throw new AppError("mcp_disabled");
}
