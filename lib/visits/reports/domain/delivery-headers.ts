import type { DELIVERIES, RECOGNITIONS } from "@/lib/contract/report";

export type Delivery = (typeof DELIVERIES)[number];

/** What the headers of a delivered Report say, as it was stored with the visit; nulls for visits from before 0.3. */
export type DeliveryFacts = {
  surface: string;
  /** Of the page that made the visit. */
  origin: string;
  /** Since the visit was stored, by the database's clock. */
  ageSeconds: number;
  recognition: (typeof RECOGNITIONS)[number] | null;
  /** Of a link by evidence: from 0 to 1. */
  confidence: number | null;
  /** Name of a verified agent: visible ASCII. */
  agent: string | null;
};

/** Evidence is never certain. */
const MAX_CONFIDENCE = 0.99;

/** The headers of a Report, by whether this read is its first delivery, or that one again. */
export function deliveryHeaders(
  { surface, origin, ageSeconds, recognition, confidence, agent }: DeliveryFacts,
  delivery: Delivery,
): Record<string, string> {
  const headers: Record<string, string> = {
    "Imprint-Delivery": delivery,
    "Imprint-Surface": surface,
    "Imprint-Origin": origin,
    "Imprint-Age": String(ageSeconds),
  };
  if (recognition !== null) headers["Imprint-Recognition"] = recognition;
  if (recognition === "evidence" && confidence !== null)
    headers["Imprint-Confidence"] = Math.min(MAX_CONFIDENCE, Math.max(0, confidence)).toFixed(2);
  if (agent !== null) headers["Imprint-Agent"] = agent;
  return headers;
}
