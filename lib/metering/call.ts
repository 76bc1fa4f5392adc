import type { OPERATIONS } from "@/lib/contract";
import type { UsageOutcome } from "./domain/outcome";

export type UsageOperation = (typeof OPERATIONS)[number]["id"];

/** One call of a workspace, as far as it is known whose it was. */
export type Call = {
  workspaceId: string;
  keyId: string | undefined;
  webAppId: string | undefined;
  operation: UsageOperation;
  outcome: UsageOutcome;
};

export type CountedCall = Call & { calls: number };
