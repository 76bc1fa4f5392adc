import { isIPv6 } from "node:net";

import { type Context, requireOperator } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { type FiguresSummary, summariseFigures } from "./domain/summarise-figures";

const WAIT_MS = 3_000;
/** Wildcard listen addresses cannot be connected to. */
const LOCAL: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** URL at which this machine reaches the metrics that are served on `host`. */
export function metricsUrl(host: string, port: number): string {
  const reached = LOCAL[host] ?? host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}/metrics`;
}

export type OwnFigures = FiguresSummary | "off" | "unreadable";

/**
 * Reads the service's own `/metrics`, if enabled.
 *
 * @throws AppError `forbidden`
 */
export async function readOwnFigures(context: Context): Promise<OwnFigures> {
  requireOperator(context);
  if (env.METRICS_PORT === undefined) return "off";
  try {
    const signal = AbortSignal.timeout(WAIT_MS);
    const answer = await fetch(metricsUrl(env.METRICS_HOST, env.METRICS_PORT), { signal });
    return answer.ok ? summariseFigures(await answer.text()) : "unreadable";
  } catch {
    return "unreadable";
  }
}
