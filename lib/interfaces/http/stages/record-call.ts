import { isAppError } from "@/lib/contract/errors";
import { submitImprintOperation } from "@/lib/contract/submission";
import { countCall, outcomeOf } from "@/lib/metering";
import { metrics } from "@/lib/platform/metrics";
import type { Decision } from "@/lib/platform/limits";
import { recordKeyUse } from "@/lib/tenancy/api-keys";
import { type ApiRequest, headerOf } from "../exchange";
import type { ApiOperation } from "../route";
import type { Attribution } from "./authenticate";

/** What becomes known about a request while it is served. */
export type Trace = {
  decisions: Decision[];
  attribution: Attribution | undefined;
  handlerStarted: boolean;
  /** Id of the purchase that the caller is continuing. */
  intentId: string | undefined;
};

export const newTrace = (): Trace => ({
  decisions: [],
  attribution: undefined,
  handlerStarted: false,
  intentId: undefined,
});

type Ended = { operation: ApiOperation; request: ApiRequest; trace: Trace; error?: unknown };

/**
 * Counts calls that no handler counts: those of browsers, and calls with a key that were refused before their handler
 * ran.
 */
function countUnhandled({ operation, trace: { attribution, handlerStarted }, error }: Ended): void {
  if (!attribution || (operation.security === "apiKey" && handlerStarted)) return;
  const { workspaceId, keyId, webAppId } = attribution;
  const outcome = error === undefined ? "served" : outcomeOf(error);
  countCall({ workspaceId, keyId, webAppId, operation: operation.id, outcome });
}

/** Adds the call to the log of its key. */
function logKeyUse({ operation, request, trace, error }: Ended): void {
  const { workspaceId, keyId } = trace.attribution ?? {};
  if (workspaceId === undefined || keyId === undefined) return;
  const refusal = isAppError(error) ? error.code : "internal_error";
  recordKeyUse({
    workspaceId,
    keyId,
    address: request.address,
    agent: headerOf(request, "user-agent") ?? "",
    operation: operation.id,
    code: error === undefined ? "" : refusal,
    requestId: request.requestId,
  });
}

/** Records an answered or refused call for its owner. */
export function recordCall(ended: Ended): void {
  countUnhandled(ended);
  logKeyUse(ended);
  if (ended.error !== undefined && ended.operation.id === submitImprintOperation.id)
    metrics()?.count("imprint_submissions_total", { outcome: "refused", verdict: "none" });
}
