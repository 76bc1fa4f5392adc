import type { OPERATIONS } from "@/lib/contract";
import type { UsageOutcome } from "./domain/outcome";

export type UsageOperation = (typeof OPERATIONS)[number]["id"];

/** One call, with its workspace, key and Web App as far as they are known. */
export type Call = {
  workspaceId: string;
  keyId: string | undefined;
  webAppId: string | undefined;
  operation: UsageOperation;
  outcome: UsageOutcome;
};

export type CountedCall = Call & { calls: number };
