import { rotateManagedKeyOperation } from "@/lib/contract/manage";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { rotateManagedKey } from "@/lib/tenancy/management";

export const POST = defineRoute(rotateManagedKeyOperation, async (ctx) =>
  reply(201, await rotateManagedKey(ctx, { ...ctx.caller, ...ctx.params }, ctx.body)),
);
