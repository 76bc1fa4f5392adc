import { AppError } from "@/lib/contract/errors";
import { freshFor } from "./fresh-for";
import { findPolicy } from "./queries-policy";

/** Cache time; a change takes effect in every process after it. */
const FRESH_MS = 1_000;

/**
 * `invalidatePolicy` drops the cached policy; the process's other module graph refreshes within a second.
 */
export const { current: currentPolicy, invalidate: invalidatePolicy } = freshFor(FRESH_MS, findPolicy);

/** Whether the MCP server is on; true if the policy cannot be read. */
export const isMcpOn = (): Promise<boolean> =>
  currentPolicy().then(
    ({ isEnabled }) => isEnabled,
    () => true,
  );

/** @throws AppError `mcp_disabled` while the operator has switched the MCP server off */
export async function requireMcpOn(): Promise<void> {
  if (!(await currentPolicy()).isEnabled) throw new AppError("mcp_disabled");
}
