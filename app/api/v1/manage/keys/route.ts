import { createManagedKeyOperation, listManagedKeysOperation } from "@/lib/contract/manage";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { createManagedKey, listManagedKeys } from "@/lib/tenancy/management";

export const GET = defineRoute(listManagedKeysOperation, async (ctx) =>
  reply(200, await listManagedKeys(ctx, ctx.caller)),
);

export const POST = defineRoute(createManagedKeyOperation, async (ctx) =>
  reply(201, await createManagedKey(ctx, ctx.caller, ctx.body)),
);
