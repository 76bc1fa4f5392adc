import { eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { mcpPolicy } from "@/db/schema";

/** The operator's settings of the MCP server, for the whole instance. */
export type McpPolicy = {
  isEnabled: boolean;
  /** Rules for redirect addresses; empty allows any that a client registers. */
  redirectRules: string[];
};

const INSTANCE = "instance";
const UNSET: McpPolicy = { isEnabled: true, redirectRules: [] };

const shown = { isEnabled: mcpPolicy.isEnabled, redirectRules: mcpPolicy.redirectRules };

export async function findPolicy(db: Db): Promise<McpPolicy> {
  const [row] = await db.select(shown).from(mcpPolicy).where(eq(mcpPolicy.scope, INSTANCE));
  return row ?? UNSET;
}

/** Reads the policy and locks it until the transaction ends. */
export async function lockPolicy(tx: Db): Promise<McpPolicy> {
  await tx
    .insert(mcpPolicy)
    .values({ scope: INSTANCE, ...UNSET })
    .onConflictDoNothing();
  const [row] = await tx.select(shown).from(mcpPolicy).where(eq(mcpPolicy.scope, INSTANCE)).for("no key update");
  return row ?? UNSET;
}

export async function updatePolicy(tx: Db, change: Partial<McpPolicy>): Promise<void> {
  await tx
    .update(mcpPolicy)
    .set({ ...change, changedAt: sql`clock_timestamp()` })
    .where(eq(mcpPolicy.scope, INSTANCE));
}
