import { submitImprintOperation } from "@/lib/contract/submission";
import { defineRoute, reply } from "@/lib/http/define-route";
import { readAheadOfSubmission, submitImprint } from "@/lib/submissions";

export const POST = defineRoute(
  submitImprintOperation,
  async (ctx) => reply(201, await submitImprint(ctx, ctx.caller, ctx)),
  { readAhead: readAheadOfSubmission },
);
