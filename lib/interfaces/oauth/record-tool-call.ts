import { database } from "@/db/client";
import { newId } from "@/lib/contract/ids";
import { log } from "@/lib/platform/log";
import { createWriteBehind } from "@/lib/platform/write-behind";
import type { TokenPrincipal } from "./authenticate-token";
import { insertToolCalls, type NotedCall } from "./queries-calls";

type WaitingCall = Omit<NotedCall, "ageMs"> & { notedAt: number };

const calls = createWriteBehind<WaitingCall>({
  name: "toolCalls",
  maxBuffered: 5_000,
  async write(lines) {
    const present = performance.now();
    try {
      await insertToolCalls(
        database(),
        lines.map(({ notedAt, ...call }) => ({ ...call, ageMs: present - notedAt })),
      );
    } catch (error) {
      log.warn({ err: error, calls: lines.length }, "tool calls were not recorded");
    }
  },
});

type Call = {
  tool: string;
  imprint?: string | undefined;
  /** API or OAuth error code if the call was refused; empty if it was answered. */
  code: string;
  durationMs: number;
  requestId: string;
};

/**
 * Records an answered or refused tool call in its workspace's log, in the background. Rate-limit refusals are recorded
 * at most once a second per client, so that they cannot flood the log.
 */
export function recordToolCall({ actor, grantId, clientName }: TokenPrincipal, call: Call): void {
  const { userId, clientId, workspaceId } = actor;
  const name = call.code === "rate_limited" ? `${grantId} ${call.tool} rate` : call.requestId;
  if (calls.find(name)) return;
  calls.add(name, {
    workspaceId,
    callId: newId("toolCall"),
    grantId,
    userId,
    clientId,
    clientName,
    tool: call.tool,
    imprint: call.imprint ?? null,
    code: call.code,
    requestId: call.requestId,
    durationMs: Math.round(call.durationMs),
    notedAt: performance.now(),
  });
}

/** Writes the buffered calls. Never rejects. */
export const flushToolCalls = (): Promise<void> => calls.flush();
