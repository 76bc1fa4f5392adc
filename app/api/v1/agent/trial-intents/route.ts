import { createIntentOperation } from "@/lib/contract/trial";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { createIntent } from "@/lib/trials";

export const POST = defineRoute(createIntentOperation, async (ctx) => reply(201, await createIntent(ctx, ctx.body)));
