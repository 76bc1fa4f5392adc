import { createManagedWebAppOperation, listManagedWebAppsOperation } from "@/lib/contract/manage";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { createManagedWebApp, listManagedWebApps } from "@/lib/tenancy/management";

export const GET = defineRoute(listManagedWebAppsOperation, async (ctx) =>
  reply(200, await listManagedWebApps(ctx, ctx.caller)),
);

export const POST = defineRoute(createManagedWebAppOperation, async (ctx) =>
  reply(201, await createManagedWebApp(ctx, ctx.caller, ctx.body)),
);
