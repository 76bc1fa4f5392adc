import { type Context, requireOperator } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { type FiguresSummary, summariseFigures } from "./domain/summarise-figures";

const WAIT_MS = 3_000;
/** Wildcard listen addresses cannot be connected to. */
const LOCAL: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]" };

export type OwnFigures = FiguresSummary | "off" | "unreadable";

/**
 * Reads the service's own `/metrics`, if enabled.
 *
 * @throws AppError `forbidden`
 */
export async function readOwnFigures(context: Context): Promise<OwnFigures> {
  requireOperator(context);
  if (env.METRICS_PORT === undefined) return "off";
  const host = LOCAL[env.METRICS_HOST] ?? env.METRICS_HOST;
  try {
    const signal = AbortSignal.timeout(WAIT_MS);
    const answer = await fetch(`http://${host}:${env.METRICS_PORT}/metrics`, { signal });
    return answer.ok ? summariseFigures(await answer.text()) : "unreadable";
  } catch {
    return "unreadable";
  }
}
