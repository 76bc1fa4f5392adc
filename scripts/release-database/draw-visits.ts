import { seededRandom } from "../common/random";
import { drawSample, visitAt } from "../bench/match/sample";

/** Omits what the generator does not know about a browser. */
const withoutNull = (_name: string, value: unknown): unknown => (value === null ? undefined : value);

export type DrawnVisit = { userAgent: string; acceptLanguage: string; address: string; signals: object };

/** First visits of different browsers, each at a different location. */
export function drawVisits({ seed, count }: { seed: number; count: number }): DrawnVisit[] {
  const sample = drawSample(seededRandom(seed));
  return Array.from({ length: count }, (_, index) => {
    const { visit, address } = visitAt(sample, seed * 1_000 + index);
    return {
      userAgent: visit.request.userAgent ?? "",
      acceptLanguage: visit.request.acceptLanguage ?? "",
      address,
      signals: JSON.parse(JSON.stringify(visit.signals, withoutNull)) as object,
    };
  });
}
