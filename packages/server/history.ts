import type { History } from "./contract";
import { ImprintServerError } from "./error";
import type { Settings } from "./options";
import { requireImprint } from "./report";
import { ask } from "./transport";

/** Either `days`, or `from` and `to`; without them the last 30 days. */
export type HistoryOptions = {
  /** The last so many days, today included: 1 to 90 on Pro, 1 to 365 on Enterprise. */
  days?: number | undefined;
  /** First day, `YYYY-MM-DD`; only together with `to`. */
  from?: string | undefined;
  /** Last day, itself included; only together with `from`. */
  to?: string | undefined;
  /** How many of the newest visits to list, 0 to 100. Default: 20. */
  recent?: number | undefined;
  signal?: AbortSignal | undefined;
};

const isHistoryOf = (imprint: string, body: unknown): body is History => {
  const { imprint: own, summary, timeline, recent } = Object(body) as Partial<Record<keyof History, unknown>>;
  return (
    own === imprint &&
    typeof summary === "object" &&
    summary !== null &&
    Array.isArray(timeline) &&
    Array.isArray(recent)
  );
};

/** @throws ImprintServerError */
export async function readHistory(
  settings: Settings,
  imprint: string,
  { signal, ...range }: HistoryOptions = {},
): Promise<History> {
  requireImprint(imprint);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(range)) if (value !== undefined) query.set(name, String(value));
  const { body } = await ask(settings, {
    path: `/api/v1/fingerprint/imprint/${imprint}/history${query.size === 0 ? "" : `?${query}`}`,
    signal,
  });
  if (isHistoryOf(imprint, body)) return body;
  throw new ImprintServerError("bad_response", "The endpoint answered with something other than this History", {
    status: 200,
  });
}
