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
      log.warn({ err: error, calls: lines.length }, "calls of tools were not noted");
    }
  },
});

type Call = {
  tool: string;
  /** What the call was about, when it was an imprint. */
  imprint?: string | undefined;
  /** Error code of the refusal, of the API or of OAuth; empty when the call was answered. */
  code: string;
  durationMs: number;
  requestId: string;
};

/**
 * Notes the call of a tool, answered or refused, for the log of its workspace. Returns at once. Refusals for the rate are
 * noted once a second of each client: they cost a client nothing, and must not cost the log a row each.
 */
export function noteToolCall({ actor, grantId, clientName }: TokenPrincipal, call: Call): void {
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

/** Writes what this process noted. Never rejects. */
export const flushToolCalls = (): Promise<void> => calls.flush();
