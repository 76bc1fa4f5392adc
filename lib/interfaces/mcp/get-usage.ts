import { z } from "zod";

import { readUsage, USAGE_OUTCOMES, type UsageCount } from "@/lib/metering";
import { fitAnswer } from "./domain/answer-size";
import { type Granularity, GRANULARITIES, groupUsage } from "./domain/group-usage";
import { Day } from "./arguments";
import { defineTool, forRole } from "./tool";

const count = z.int().min(0);

const Counts = {
  units: count.describe("Report units used"),
  calls: count,
  outcomes: z
    .partialRecord(z.enum(USAGE_OUTCOMES), count)
    .describe("Calls by outcome; outcomes that did not occur are left out"),
};

const Usage = z.strictObject({
  range: z.strictObject({ from: Day, to: Day, days: count }),
  month: z
    .strictObject({ period: z.string(), used: count, limit: count.nullable(), remaining: count.nullable() })
    .describe("Report units of the current month; limit and remaining are null on a plan without one"),
  total: z.strictObject(Counts),
  granularity: z.enum(GRANULARITIES),
  periods: z
    .array(z.strictObject({ from: Day, to: Day, ...Counts }))
    .describe("Days, weeks (from Monday) or months of the range, in order; those without calls or units are left out"),
  more: z
    .strictObject({ from: Day, to: Day })
    .describe("Only if not all periods fit into the answer: ask again with these")
    .optional(),
  operations: z.array(z.strictObject({ operation: z.string(), ...Counts })).describe("Busiest first"),
});

const BY_DAY = 10;
const BY_WEEK = 92;
/** Keeps an answer below 1,000 tokens in most workspaces. */
const granularityFor = (days: number): Granularity => (days <= BY_DAY ? "day" : days <= BY_WEEK ? "week" : "month");

const countsOf = ({ units, calls, outcomes }: UsageCount) => ({ units, calls, outcomes });

export const getUsage = defineTool({
  name: "svc_get_usage",
  title: "Get usage",
  description:
    "Report units and calls of the workspace by day, week or month (UTC) and by operation, and how many units are left this month. Uses no report unit.",
  input: z.strictObject({
    from: Day.optional().describe("First day, UTC; only together with to. Default: the current month"),
    to: Day.optional().describe("Last day (inclusive), UTC; only together with from"),
    granularity: z
      .enum(GRANULARITIES)
      .optional()
      .describe(`Length of a period; by default days up to ${BY_DAY} days, weeks up to ${BY_WEEK} days, then months`),
  }),
  output: Usage,
  isFor: forRole("usage.read"),
  scopeOf: () => "svc.usage.read",
  async run(context, { granularity: asked, ...input }) {
    const { workspaceId } = context.principal.access;
    const { range, month, total, days, operations } = await readUsage(context, { workspaceId, ...input });
    const granularity = asked ?? granularityFor(range.days);
    const periods = groupUsage(days, granularity);
    return fitAnswer(periods.length, (kept): z.input<typeof Usage> => {
      const rest = periods[kept];
      return {
        range,
        month,
        total: countsOf(total),
        granularity,
        periods: periods.slice(0, kept),
        ...(rest && { more: { from: rest.from, to: range.to } }),
        operations: operations.map(({ operation, ...counts }) => ({ operation, ...countsOf(counts) })),
      };
    });
  },
});
