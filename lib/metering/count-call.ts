import type { Call } from "./call";
import { addCall } from "./call-buffer";
import { outcomeOf, type UsageOutcome } from "./domain/outcome";

/** Counts a call in memory; the process writes its counts about once a second. */
export const countCall = (call: Call): void => {
  addCall(call);
};

/** Facts about a call that are known only while it runs. */
export type CallFindings = { webAppId?: string; outcome?: UsageOutcome };

/** Runs `work` and counts the call with its outcome, which defaults to `served`. */
export async function countedCall<T>(
  { workspaceId, keyId, operation }: Pick<Call, "workspaceId" | "keyId" | "operation">,
  work: (findings: CallFindings) => Promise<T>,
): Promise<T> {
  const findings: CallFindings = {};
  let outcome: UsageOutcome = "failed";
  try {
    const result = await work(findings);
    outcome = findings.outcome ?? "served";
    return result;
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    countCall({ workspaceId, keyId, operation, webAppId: findings.webAppId, outcome });
  }
}
