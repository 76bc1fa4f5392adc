import { agentKeysStatus } from "@/lib/visits/agents";
import { type CheckResult, ok, plural, warn } from "./domain/check-result";

function describeFile({ path, keys, problem }: NonNullable<ReturnType<typeof agentKeysStatus>["file"]>): CheckResult {
  const name = "agent-keys";
  if (problem === undefined) return ok(name, `${path}: ${plural(keys, "key")} of known agents.`);
  return warn(name, `${path} cannot be used: ${problem}.`, "See docs/risk.md, declared agents.");
}

/** Facts about agents' keys and directories. The keys must have been opened and the directories fetched before. */
export function describeAgentKeys(): CheckResult[] {
  const { file, directories } = agentKeysStatus();
  if (!file && directories.length === 0) return [ok("agent-keys", "No agent is known: AGENT_KEYS_FILE is not set.")];
  return [
    ...(file ? [describeFile(file)] : []),
    ...directories.map(({ url, keys, problem }): CheckResult => {
      const name = `agent-directory ${new URL(url).host}`;
      if (problem === undefined) return ok(name, `${plural(keys, "key")} at ${url}.`);
      const fix = "Its agents are not recognised until it answers. Is it reachable from this machine?";
      return warn(name, `${url}: ${problem}.`, fix);
    }),
  ];
}
