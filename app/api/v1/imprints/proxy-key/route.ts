import { readProxyKeyOperation } from "@/lib/contract/visitor";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { readProxyKey } from "@/lib/visits/submissions";

export const POST = defineRoute(readProxyKeyOperation, (ctx) =>
  Promise.resolve(reply(200, readProxyKey(ctx, ctx.caller))),
);
