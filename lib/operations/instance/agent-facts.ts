import { agentKeysStatus } from "@/lib/visits/agents";
import { type Fact, plural } from "./domain/fact";

function describeFile({ path, keys, problem }: NonNullable<ReturnType<typeof agentKeysStatus>["file"]>): Fact {
  const name = "agent-keys";
  if (problem === undefined) return { name, status: "ok", text: `${path}: ${plural(keys, "key")} of known agents.` };
  return {
    name,
    status: "warn",
    text: `${path} cannot be used: ${problem}.`,
    fix: "See docs/risk.md, declared agents.",
  };
}

/** Facts about agents' keys and directories. The keys must have been opened and the directories fetched before. */
export function describeAgentKeys(): Fact[] {
  const { file, directories } = agentKeysStatus();
  if (!file && directories.length === 0)
    return [{ name: "agent-keys", status: "ok", text: "No agent is known: AGENT_KEYS_FILE is not set." }];
  return [
    ...(file ? [describeFile(file)] : []),
    ...directories.map(({ url, keys, problem }): Fact => {
      const name = `agent-directory ${new URL(url).host}`;
      if (problem === undefined) return { name, status: "ok", text: `${plural(keys, "key")} at ${url}.` };
      const fix = "Its agents are not recognised until it answers. Is it reachable from this machine?";
      return { name, status: "warn", text: `${url}: ${problem}.`, fix };
    }),
  ];
}
