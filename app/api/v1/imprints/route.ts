import { submitImprintOperation } from "@/lib/contract/submission";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { prefetchSubmission, submitImprint } from "@/lib/visits/submissions";

export const POST = defineRoute(
  submitImprintOperation,
  async (ctx) => reply(201, await submitImprint(ctx, ctx.caller, ctx)),
  { prefetch: prefetchSubmission },
);
