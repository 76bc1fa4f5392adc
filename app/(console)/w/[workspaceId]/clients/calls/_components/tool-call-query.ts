import { endOfDay, startOfDay } from "@/lib/platform/audit";
import type { ToolCallFilter } from "@/lib/interfaces/oauth";
import { type FilterTexts, givenText, type RawQuery, readFilterTexts } from "@/components/ui/filter-texts";

const FILTERS = ["tool", "client", "person", "outcome", "imprint", "from", "to"] as const;

/** The filters of the tool call log in the query string. */
export type ToolCallTexts = FilterTexts<(typeof FILTERS)[number]>;

export const readToolCallQuery = (given: RawQuery): ToolCallTexts => readFilterTexts(FILTERS, given);

/** Days are UTC; the last one is included. An invalid date is ignored. */
export const toolCallFilterOf = (texts: ToolCallTexts): ToolCallFilter => ({
  tool: givenText(texts.tool),
  clientId: givenText(texts.client),
  userId: givenText(texts.person),
  outcome: givenText(texts.outcome),
  imprint: givenText(texts.imprint),
  from: startOfDay(texts.from),
  to: endOfDay(texts.to),
});
