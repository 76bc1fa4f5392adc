import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { MAX_RULES, OWN_MACHINE, parseRedirectRule } from "./domain/redirect-rules";
import { findPolicy, lockPolicy, type McpPolicy, updatePolicy } from "./queries-policy";
import { invalidatePolicy } from "./read-policy";

const MCP = "mcp";

/**
 * Reads the operator's settings of the MCP server.
 *
 * @throws AppError `forbidden`
 */
export async function readMcpPolicy(context: Context): Promise<McpPolicy> {
  requireOperator(context);
  return await findPolicy(context.db);
}

/** @param entryOf the audit entry; undefined if nothing changes */
async function changePolicy(
  context: Context,
  change: Partial<McpPolicy>,
  entryOf: (before: McpPolicy) => Pick<Parameters<typeof recordAudit>[2], "action" | "detail"> | undefined,
): Promise<McpPolicy> {
  const policy = await context.db.transaction(async (tx) => {
    const before = await lockPolicy(tx);
    const entry = entryOf(before);
    if (!entry) return before;
    await updatePolicy(tx, change);
    await recordAudit(tx, context, { workspaceId: SYSTEM_WORKSPACE_ID, target: MCP, ...entry });
    return { ...before, ...change };
  });
  invalidatePolicy();
  return policy;
}

/**
 * Turns the instance's MCP server and its authorization server on or off. While it is off every call is refused;
 * connections are kept and work again afterwards.
 *
 * @throws AppError `forbidden`
 */
export async function switchMcp(context: Context, { isEnabled }: { isEnabled: boolean }): Promise<McpPolicy> {
  requireOperator(context);
  return await changePolicy(context, { isEnabled }, (before) =>
    before.isEnabled === isEnabled ? undefined : { action: isEnabled ? "mcp.enable" : "mcp.disable" },
  );
}

/** @throws AppError `invalid_request` */
function requireRules(texts: readonly string[]): string[] {
  const rules = texts.map((text) => {
    const rule = parseRedirectRule(text);
    if (rule !== undefined) return rule;
    throw new AppError("invalid_request", {
      message: `${JSON.stringify(text.slice(0, 100))} is not a rule. Give a host (claude.ai), a whole https address, the scheme of an application (cursor:), or ${OWN_MACHINE}`,
    });
  });
  if (rules.length > MAX_RULES) throw new AppError("invalid_request", { message: `At most ${MAX_RULES} rules` });
  return [...new Set(rules)].sort();
}

/**
 * Sets the rules for redirect addresses. Clients with other addresses are refused, at registration and at
 * authorization; without rules any client may register. Existing connections are kept.
 *
 * @throws AppError `forbidden`, `invalid_request`
 */
export async function setRedirectRules(context: Context, input: { rules: readonly string[] }): Promise<McpPolicy> {
  requireOperator(context);
  const redirectRules = requireRules(input.rules);
  return await changePolicy(context, { redirectRules }, (before) =>
    before.redirectRules.join(" ") === redirectRules.join(" ")
      ? undefined
      : { action: "mcp.set_redirects", detail: { from: before.redirectRules, to: redirectRules } },
  );
}
