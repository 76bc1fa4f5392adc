import { z } from "zod";

import { AccountMap, Reason, ReportStatus } from "@/lib/contract/report";
import { Imprint } from "@/lib/contract/fields";
import { covers } from "@/lib/interfaces/oauth";
import { readReportForConsole } from "@/lib/visits/reports";
import { instantText } from "./arguments";
import { defineTool, mayReadReports } from "./tool";

const Explanation = z.strictObject({
  imprint: Imprint,
  at: z.string(),
  device: z.string(),
  recognised_by: z.string().describe("How the visit was matched to its device"),
  status: ReportStatus,
  findings: z.array(
    z.strictObject({
      reason: Reason,
      status: ReportStatus,
      rule: z.string(),
      text: z.string(),
      compared: z.array(z.strictObject({ what: z.string(), value: z.string(), odd: z.boolean() })),
      harmless_causes: z.array(z.string()),
      source: z.string(),
    }),
  ),
  web_app: z.string(),
  surface: z.string(),
  origin: z.string(),
  browser: z.string().optional(),
  operating_system: z.string().optional(),
  observed_ip: z.string().optional(),
  country_code: z.string().optional(),
  connection_type: z.string().optional(),
  provider: z.string().optional(),
  agent: z.string().describe("Verified operator of an automated agent that signed the visit").optional(),
  account: z
    .strictObject({ account: z.string(), ...AccountMap.shape })
    .describe("The account that the site linked")
    .optional(),
  rules_version: z.string(),
});

/** Limit for long values such as user agents, whose relevant part is at the start. */
const MAX_VALUE_CHARACTERS = 300;

const shortened = (value: string) =>
  value.length > MAX_VALUE_CHARACTERS ? `${value.slice(0, MAX_VALUE_CHARACTERS)}…` : value;

const nameOf = ({ name, version }: { name?: string | undefined; version?: string | undefined }) =>
  [name, version].filter((part) => part !== undefined).join(" ");

export const explainReport = defineTool({
  name: "svc_explain_report",
  title: "Explain a Report",
  description:
    "Why one visit got its status, by its imprint: each finding with its rule, the values that it compared, and harmless causes that look the same; how its device was recognised; with the scope svc.report.pro, the account that the site linked. Uses no report unit.",
  input: z.strictObject({ imprint: Imprint }),
  output: Explanation,
  isFor: mayReadReports,
  scopeOf: () => "svc.report.lite",
  async run(context, { imprint }) {
    const { workspaceId } = context.principal.access;
    const found = await readReportForConsole(context, { workspaceId, imprint });
    const { report, account } = found;
    const seesAccount = covers(context.principal.scopes, "svc.report.pro") && typeof account === "object";
    const { observed_ip, country_code, connection_type, provider } = report.network;
    const explanation: z.input<typeof Explanation> = {
      imprint,
      at: instantText(new Date(report.created_at)),
      device: report.device.id,
      recognised_by: found.recognisedBy,
      status: report.risk.status,
      findings: found.findings.map(({ reason, status, ruleId, text, evidence, harmlessCauses, source }) => ({
        reason,
        status,
        rule: ruleId,
        text,
        compared: evidence.map(({ label, value, isOdd }) => ({ what: label, value: shortened(value), odd: isOdd })),
        harmless_causes: harmlessCauses,
        source,
      })),
      web_app: found.webApp.name,
      surface: found.surface,
      origin: found.origin,
      browser: nameOf(report.browser),
      operating_system: nameOf(report.operating_system),
      observed_ip,
      country_code,
      connection_type,
      provider,
      agent: found.agent,
      account: seesAccount ? { account: account.accountId, ...account.map } : undefined,
      rules_version: found.rulesVersion,
    };
    return JSON.stringify(explanation);
  },
});
