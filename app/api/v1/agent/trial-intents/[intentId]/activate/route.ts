import { activateIntentOperation } from "@/lib/contract/trial";
import { defineRoute } from "@/lib/interfaces/http/define-route";
import { activateIntent } from "@/lib/trials";

export const POST = defineRoute(activateIntentOperation, (ctx) =>
  activateIntent(ctx, ctx.caller, { signature: ctx.headers["payment-signature"] }),
);
