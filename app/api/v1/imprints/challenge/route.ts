import { issueChallengeOperation } from "@/lib/contract/submission";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { issueChallenge } from "@/lib/visits/submissions";

export const POST = defineRoute(issueChallengeOperation, (ctx) =>
  Promise.resolve(reply(200, issueChallenge(ctx, ctx.caller, ctx.body))),
);
