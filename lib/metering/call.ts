import type { OPERATIONS } from "@/lib/contract";
import type { UsageOutcome } from "./domain/outcome";

export type UsageOperation = (typeof OPERATIONS)[number]["id"];

/** One call, with what is known of its workspace, key and Web App. */
export type Call = {
  workspaceId: string;
  keyId: string | undefined;
  webAppId: string | undefined;
  operation: UsageOperation;
  outcome: UsageOutcome;
};

export type CountedCall = Call & { calls: number };
