import { setLabelOperation } from "@/lib/contract/labels";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { setManagedLabel } from "@/lib/visits/labels";

export const POST = defineRoute(setLabelOperation, async (ctx) =>
  reply(200, await setManagedLabel(ctx, ctx.caller, ctx.body)),
);
