import type { DELIVERIES, RECOGNITIONS } from "@/lib/contract/report";

export type Delivery = (typeof DELIVERIES)[number];

/** Facts stored with the visit that the headers of its Report contain. Null for visits from before 0.2. */
export type DeliveryFacts = {
  surface: string;
  /** Origin of the page that made the visit. */
  origin: string;
  /** Seconds since the visit was stored, by the database clock. */
  ageSeconds: number;
  recognition: (typeof RECOGNITIONS)[number] | null;
  /** Confidence of a link by evidence, 0 to 1. */
  confidence: number | null;
  /** Name of the verified agent, in visible ASCII. */
  agent: string | null;
};

/** Evidence is never certain. */
const MAX_CONFIDENCE = 0.99;

/** Builds a Report's headers. `delivery` tells whether this read is its first delivery (or the same one repeated). */
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
