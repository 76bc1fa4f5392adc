import { readHistoryOperation } from "@/lib/contract/history";
import { readHistory } from "@/lib/visits/history";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";

export const GET = defineRoute(readHistoryOperation, async (ctx) =>
  reply(200, await readHistory(ctx, ctx.caller, { ...ctx.params, ...ctx.query })),
);
