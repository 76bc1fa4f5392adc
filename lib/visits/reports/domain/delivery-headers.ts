import type { RECOGNITIONS } from "@/lib/contract/report";

/** What the headers of a delivered Report say, as it was stored with the visit; null for visits from before 0.3. */
export type DeliveryFacts = {
  recognition: (typeof RECOGNITIONS)[number] | null;
  /** Of a link by evidence: from 0 to 1. */
  confidence: number | null;
  /** Name of a verified agent: visible ASCII. */
  agent: string | null;
};

/** Evidence is never certain. */
const MAX_CONFIDENCE = 0.99;

/** The headers of a delivered Report. */
export function deliveryHeaders({ recognition, confidence, agent }: DeliveryFacts): Record<string, string> {
  const headers: Record<string, string> = {};
  if (recognition !== null) headers["Imprint-Recognition"] = recognition;
  if (recognition === "evidence" && confidence !== null)
    headers["Imprint-Confidence"] = Math.min(MAX_CONFIDENCE, Math.max(0, confidence)).toFixed(2);
  if (agent !== null) headers["Imprint-Agent"] = agent;
  return headers;
}
