import { z } from "zod";

import { readUsage, USAGE_OUTCOMES, type UsageCount } from "@/lib/metering";
import { defineTool } from "./tool";

const Day = z.iso.date("expected a date, YYYY-MM-DD");
const count = z.int().min(0);

const Counts = {
  units: count.describe("Report units used"),
  calls: count,
  outcomes: z
    .partialRecord(z.enum(USAGE_OUTCOMES), count)
    .describe("Calls by what became of them; outcomes that did not occur are left out"),
};

const Usage = z.strictObject({
  range: z.strictObject({ from: Day, to: Day, days: count }),
  month: z
    .strictObject({ period: z.string(), used: count, limit: count.nullable(), remaining: count.nullable() })
    .describe("Report units of the present month; limit and remaining are null on a plan without one"),
  total: z.strictObject(Counts),
  days: z.array(z.strictObject({ date: Day, ...Counts })).describe("Every day of the range, zeros included"),
  operations: z.array(z.strictObject({ operation: z.string(), ...Counts })).describe("The busiest first"),
});

const countsOf = ({ units, calls, outcomes }: UsageCount) => ({ units, calls, outcomes });

export const getUsage = defineTool({
  name: "svc_get_usage",
  title: "Get usage",
  description:
    "Report units and calls of the workspace by day (UTC) and operation, and what is left of this month's units. Uses no report unit.",
  input: z.strictObject({
    from: Day.optional().describe("First day, UTC; only together with to. The present month unless given"),
    to: Day.optional().describe("Last day, UTC, itself included; only together with from"),
  }),
  output: Usage,
  scopeOf: () => "svc.usage.read",
  async run(context, input) {
    const { workspaceId } = context.principal.access;
    const { range, month, total, days, operations } = await readUsage(context, { workspaceId, ...input });
    const answer: z.input<typeof Usage> = {
      range,
      month,
      total: countsOf(total),
      days: days.map(({ date, ...rest }) => ({ date, ...countsOf(rest) })),
      operations: operations.map(({ operation, ...rest }) => ({ operation, ...countsOf(rest) })),
    };
    return JSON.stringify(answer);
  },
});
