import { database } from "@/db/client";
import { log } from "@/lib/platform/log";
import { createWriteBehind } from "@/lib/platform/write-behind";
import { addUses, type CountedUse } from "./queries-uses";

/** Distinct lines stored per key and hour. */
const MAX_LINES_OF_HOUR = 200;
const MAX_AGENT_CHARACTERS = 120;

const uses = createWriteBehind<CountedUse>({
  name: "keyUses",
  maxBuffered: 5_000,
  async write(lines) {
    try {
      await addUses(database(), lines, MAX_LINES_OF_HOUR);
    } catch (error) {
      log.warn({ err: error, lines: lines.length }, "uses of API keys were not recorded");
    }
  },
});

type KeyUse = Omit<CountedUse, "calls" | "address"> & { address: string | undefined };

/** A User-Agent header, made safe to display. */
const shownAgent = (agent: string): string => agent.slice(0, MAX_AGENT_CHARACTERS).replaceAll(/[^\x20-\x7e]/g, "?");

/**
 * Records a call with a key, answered or refused, in the key's log. Unlike the ledger this is best effort: entries that
 * cannot be written are dropped.
 */
export function recordKeyUse({ address = "", ...use }: KeyUse): void {
  const agent = shownAgent(use.agent);
  const name = `${use.keyId} ${address} ${use.operation} ${use.code} ${agent}`;
  const line = uses.find(name);
  if (line) {
    line.calls += 1;
    line.requestId = use.requestId;
  } else uses.add(name, { ...use, agent, address, calls: 1 });
}

/** Writes the buffered uses. Never rejects. */
export const flushKeyUses = (): Promise<void> => uses.flush();
