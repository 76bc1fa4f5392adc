import { z } from "zod";

import { Imprint } from "@/lib/contract/fields";
import { Report } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import { deliverReportUnbound } from "@/lib/visits/reports";
import { defineTool, mayReadReports, type ToolContext } from "./tool";

/**
 * Requires permission to see addresses and places, which every Report contains.
 *
 * @throws AppError `forbidden`
 */
function requireWholeReport({ principal: { access } }: ToolContext): void {
  if (!mayReadReports(access))
    throw new AppError("forbidden", { message: "The role of the person behind this client may not read Reports" });
  if (access.canSeeAddresses) return;
  throw new AppError("forbidden", {
    message: "The person behind this client may not see addresses and places, which every Report contains",
  });
}

export const getReport = defineTool({
  name: "svc_get_report",
  title: "Get Report",
  description:
    "Device identity and access risk of one visit, by its imprint: device, risk status with reasons, browser, operating system, network, activity. " +
    "The first read of an imprint uses one of the workspace's report units; later reads use none and return the same. " +
    "The Report recommends no action. With account_ref it also says how that account relates to the device, as if the visit were that account's: " +
    "nothing is linked, since only the site's own server does that. If the server linked the visit to another account, the error is account_ref_conflict.",
  input: z.strictObject({
    imprint: Imprint,
    account_ref: z
      .string()
      .optional()
      .describe(
        "Stable internal primary key of your user, compared and never linked; requires the scope svc.report.pro. Never an e-mail address, phone number or name",
      ),
  }),
  output: Report,
  isFor: (access) => mayReadReports(access) && access.canSeeAddresses,
  scopeOf: ({ account_ref: accountRef }) => (accountRef === undefined ? "svc.report.lite" : "svc.report.pro"),
  async run(context, { imprint, account_ref: accountRef }) {
    requireWholeReport(context);
    const { workspaceId, plan } = context.principal.access;
    const { report } = await deliverReportUnbound(context, { workspaceId, plan }, { imprint, accountRef });
    return report;
  },
});
