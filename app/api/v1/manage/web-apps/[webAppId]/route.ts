import { updateManagedWebAppOperation } from "@/lib/contract/manage";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { updateManagedWebApp } from "@/lib/tenancy/management";

export const PUT = defineRoute(updateManagedWebAppOperation, async (ctx) =>
  reply(200, await updateManagedWebApp(ctx, { ...ctx.caller, ...ctx.params }, ctx.body)),
);
