import { z } from "zod";

import { Imprint } from "@/lib/contract/fields";
import {
  History,
  HISTORY_DEFAULT_DAYS,
  HISTORY_DEFAULT_RECENT,
  HISTORY_MAX_DAYS,
  HISTORY_MAX_RECENT,
} from "@/lib/contract/history";
import { AppError } from "@/lib/contract/errors";
import { readHistory } from "@/lib/visits/history";
import { fitAnswer } from "./domain/answer-size";
import { Day } from "./arguments";
import { defineTool, mayReadReports } from "./tool";

const MORE = "recent did not fit completely: ask again with a shorter range, using from and to";

export const getHistory = defineTool({
  name: "svc_get_history",
  title: "Get History",
  description:
    "Visits of the device behind an imprint: how many on each day (UTC), and the newest ones with the surface of the site they came from. Uses no report unit. " +
    "Give either days, or from and to, or neither.",
  input: z.strictObject({
    imprint: Imprint,
    days: z
      .int()
      .min(1)
      .max(HISTORY_MAX_DAYS)
      .optional()
      .describe(
        `Number of days up to and including today: at most 90 on Pro, 365 on Enterprise; default ${HISTORY_DEFAULT_DAYS}. Not with from and to`,
      ),
    from: Day.optional().describe("First day, UTC; only together with to"),
    to: Day.optional().describe("Last day (inclusive), UTC; only together with from"),
    recent: z
      .int()
      .min(0)
      .max(HISTORY_MAX_RECENT)
      .optional()
      .describe(`How many of the newest visits to list; default ${HISTORY_DEFAULT_RECENT}`),
  }),
  output: History.extend({
    more: z.string().describe("How to get the visits that did not fit into the answer").optional(),
  }),
  isFor: mayReadReports,
  scopeOf: () => "svc.history.read",
  async run(context, input) {
    const { access } = context.principal;
    const { workspaceId, plan } = access;
    if (!mayReadReports(access))
      throw new AppError("forbidden", { message: "The role of the person behind this client may not read History" });
    const history = await readHistory(context, { workspaceId, plan }, input);
    const { recent } = history;
    return fitAnswer(recent.length, (kept) => ({
      ...history,
      recent: recent.slice(0, kept),
      ...(kept < recent.length && { more: MORE }),
    }));
  },
});
