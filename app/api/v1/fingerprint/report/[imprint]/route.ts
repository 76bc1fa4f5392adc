import { readReportOperation } from "@/lib/contract/report";
import { defineRoute, replyStored } from "@/lib/interfaces/http/define-route";
import { deliverReport } from "@/lib/visits/reports";
import { findKeyWithReport } from "@/lib/visits/visit-store";

export const GET = defineRoute(
  readReportOperation,
  async (ctx) => {
    const { report, headers } = await deliverReport(ctx, ctx.caller, ctx.params.imprint, ctx.headers["x-account-ref"]);
    return replyStored(200, report, headers);
  },
  { findKey: findKeyWithReport },
);
