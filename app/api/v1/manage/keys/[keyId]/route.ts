import { revokeManagedKeyOperation } from "@/lib/contract/manage";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { revokeManagedKey } from "@/lib/tenancy/management";

export const DELETE = defineRoute(revokeManagedKeyOperation, async (ctx) =>
  reply(200, await revokeManagedKey(ctx, { ...ctx.caller, ...ctx.params })),
);
