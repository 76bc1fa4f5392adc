import { readReportOperation } from "@/lib/contract/report";
import { defineRoute, replyStored } from "@/lib/interfaces/http/define-route";
import { deliverReport, hashAcceptance } from "@/lib/visits/reports";
import { findKeyWithReport } from "@/lib/visits/visit-store";

const acceptanceHashOf = ({ "imprint-acceptance": acceptance }: { "imprint-acceptance"?: string | undefined }) =>
  acceptance === undefined ? undefined : hashAcceptance(acceptance);

export const GET = defineRoute(
  readReportOperation,
  async ({ db, caller, params: { imprint }, headers: sent }) => {
    const asked = { imprint, accountRef: sent["x-account-ref"], acceptanceHash: acceptanceHashOf(sent) };
    const { report, headers } = await deliverReport({ db }, caller, asked);
    return replyStored(200, report, headers);
  },
  { findKey: ({ imprint }, sent) => findKeyWithReport(imprint, acceptanceHashOf(sent)) },
);
