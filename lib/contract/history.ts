import { z } from "zod";

import { Imprint, Instant } from "./fields";
import { defineOperation } from "./operation";

/** Longest range of any plan, in days. */
export const HISTORY_MAX_DAYS = 365;
export const HISTORY_DEFAULT_DAYS = 30;
export const HISTORY_MAX_RECENT = 100;
export const HISTORY_DEFAULT_RECENT = 20;

const Day = z.iso.date("expected a date, YYYY-MM-DD");
const count = z.int().min(0);

/** An integer query parameter in canonical decimal notation. */
const wholeNumber = (least: number, most: number) => {
  const expected = `expected a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,3})$/, expected)
    .transform(Number)
    .refine((value) => value >= least && value <= most, expected)
    .meta({ type: "integer", minimum: least, maximum: most });
};

export const History = z
  .strictObject({
    imprint: Imprint,
    range: z.strictObject({
      from: Day.describe("First day, UTC"),
      to: Day.describe("Last day, UTC, itself included"),
      days: z.int().min(1).describe("Calendar days covered"),
    }),
    summary: z.strictObject({
      events: count.describe("Visits of the device in the range"),
      truncated: z.boolean().describe("Whether the range holds more visits than `recent` lists"),
      firstSeenAt: Instant.optional().describe("Earliest visit in the range; absent when there is none"),
      lastSeenAt: Instant.optional().describe("Latest visit in the range; absent when there is none"),
    }),
    timeline: z.array(z.strictObject({ date: Day, count })).describe("Every day of the range in order, zeros included"),
    recent: z
      .array(
        z.strictObject({
          at: Instant,
          surface: z.string().describe("Business surface that the page gave with the visit"),
        }),
      )
      .describe("Newest first"),
  })
  .meta({ id: "History", description: "Visits of the device behind an imprint, day by day" });
export type History = z.infer<typeof History>;

export const readHistoryOperation = defineOperation({
  id: "readHistory",
  method: "GET",
  path: "/api/v1/fingerprint/imprint/{imprint}/history",
  summary: "Read the visits of the device behind an imprint",
  description:
    "A range has at most 90 days on Pro, 365 on Enterprise. Without `days`, or `from` and `to`, the last 30 days including today are returned. Days are UTC. Reading History uses no report unit.",
  security: "apiKey",
  params: z.strictObject({ imprint: Imprint }),
  query: z
    .strictObject({
      days: wholeNumber(1, HISTORY_MAX_DAYS)
        .optional()
        .describe(
          "Number of days up to and including today: 1 to 90 on Pro, 1 to 365 on Enterprise. Not together with `from` and `to`",
        ),
      from: Day.optional().describe("First day; only together with `to`"),
      to: Day.optional().describe("Last day, inclusive; only together with `from`"),
      recent: wholeNumber(0, HISTORY_MAX_RECENT)
        .optional()
        .describe("Number of most recent visits to list; 20 by default"),
    })
    .refine(({ from, to }) => (from === undefined) === (to === undefined), "from and to are given together")
    .refine(({ days, from }) => days === undefined || from === undefined, "give either days, or from and to"),
  bodyLimitBytes: 0,
  unmatchedParams: "report_not_found",
  responses: { 200: History },
  errors: ["invalid_request", "auth_failed", "history_not_allowed", "report_not_found", "rate_limited"],
});
