import type { UsageCount, UsageOutcome } from "@/lib/metering";

type Words = { name: string; text: string; isRefusal: boolean };

/** Labels of call outcomes. */
export const OUTCOME_WORDS: Record<UsageOutcome, Words> = {
  delivered: {
    name: "First deliveries",
    text: "A Report was read for the first time: one unit each.",
    isRefusal: false,
  },
  reread: { name: "Read again", text: "The same Report once more: free.", isRefusal: false },
  served: { name: "Other answers", text: "Visits, challenges, History and the like: free.", isRefusal: false },
  missing: { name: "Not found", text: "No such Report in this workspace.", isRefusal: true },
  rate: {
    name: "Too many requests",
    text: "Over the rate of the key, the environment or the address.",
    isRefusal: true,
  },
  quota: {
    name: "Quota used up",
    text: "All units of the period, or all requests of a trial, are used.",
    isRefusal: true,
  },
  origin: { name: "Origin not allowed", text: "Visits from an origin that is not on the list.", isRefusal: true },
  plan: { name: "Not in the plan", text: "History, Account Map or a trial that is over.", isRefusal: true },
  refused: {
    name: "Not valid",
    text: "Malformed, out of date, or sent to an environment that is off.",
    isRefusal: true,
  },
  failed: {
    name: "Failed here",
    text: "A failure of this service. The log names each by its request id.",
    isRefusal: true,
  },
};

const sum = (count: UsageCount, isRefusal: boolean) =>
  Object.entries(count.outcomes).reduce(
    // safe: the keys of a count are outcomes
    (total, [outcome, calls]) => total + (OUTCOME_WORDS[outcome as UsageOutcome].isRefusal === isRefusal ? calls : 0),
    0,
  );

export const answeredCalls = (count: UsageCount): number => sum(count, false);
export const refusedCalls = (count: UsageCount): number => sum(count, true);
