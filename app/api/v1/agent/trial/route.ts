import { readTrialGrantOperation } from "@/lib/contract/trial";
import { buyTrialOperation } from "@/lib/contract/trial-purchase";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { buyTrial, readGrant } from "@/lib/trials";

export const GET = defineRoute(readTrialGrantOperation, async (ctx) => reply(200, await readGrant(ctx, ctx.caller)));

export const POST = defineRoute(buyTrialOperation, (ctx) =>
  buyTrial(ctx, ctx.caller, { body: ctx.body, signature: ctx.headers["payment-signature"] }),
);
