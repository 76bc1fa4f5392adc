import type { RECOGNITIONS } from "@/lib/contract/report";

/** What is told of a visit beside its Report, as it was stored; nothing for visits from before it was. */
export type ToldOfVisit = {
  recognition: (typeof RECOGNITIONS)[number] | null;
  /** Of a link by evidence: from 0 to 1. */
  confidence: number | null;
  /** Name of a verified agent: visible ASCII. */
  agent: string | null;
};

/** Evidence is never certain. */
const MAX_CONFIDENCE = 0.99;

/** The headers of a delivered Report. */
export function deliveryHeaders({ recognition, confidence, agent }: ToldOfVisit): Record<string, string> {
  const headers: Record<string, string> = {};
  if (recognition !== null) headers["Imprint-Recognition"] = recognition;
  if (recognition === "evidence" && confidence !== null)
    headers["Imprint-Confidence"] = Math.min(MAX_CONFIDENCE, Math.max(0, confidence)).toFixed(2);
  if (agent !== null) headers["Imprint-Agent"] = agent;
  return headers;
}
