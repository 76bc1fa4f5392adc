import { addManagedOriginOperation, removeManagedOriginOperation } from "@/lib/contract/manage";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { addManagedOrigin, removeManagedOrigin } from "@/lib/tenancy/management";

export const PUT = defineRoute(addManagedOriginOperation, async (ctx) =>
  reply(200, await addManagedOrigin(ctx, { ...ctx.caller, ...ctx.params }, ctx.body)),
);

export const DELETE = defineRoute(removeManagedOriginOperation, async (ctx) =>
  reply(200, await removeManagedOrigin(ctx, { ...ctx.caller, ...ctx.params }, ctx.query.origin)),
);
