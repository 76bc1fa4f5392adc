import { readIntentOperation } from "@/lib/contract/trial";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { readIntent } from "@/lib/trials";

export const GET = defineRoute(readIntentOperation, async (ctx) => reply(200, await readIntent(ctx, ctx.caller)));
