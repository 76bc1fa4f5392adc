import { readTrialGrantOperation } from "@/lib/contract/trial";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { readGrant } from "@/lib/trials";

export const GET = defineRoute(readTrialGrantOperation, async (ctx) => reply(200, await readGrant(ctx, ctx.caller)));
