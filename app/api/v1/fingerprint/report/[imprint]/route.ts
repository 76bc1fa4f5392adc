import { readReportOperation } from "@/lib/contract/report";
import { defineRoute, replyStored } from "@/lib/http/define-route";
import { deliverReport, findKeyWithReport } from "@/lib/reports";

export const GET = defineRoute(
  readReportOperation,
  async (ctx) =>
    replyStored(200, await deliverReport(ctx, ctx.caller, ctx.params.imprint, ctx.headers["x-account-ref"])),
  { findKey: findKeyWithReport },
);
