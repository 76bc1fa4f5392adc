import { narrowedHref } from "@/components/report/report-query";
import { subjectHref } from "@/components/report/subject-href";
import { addressHref, networkHref, pageHref, queryHref } from "@/components/shell/pages";

export const MISSES = ["imprint", "device", "account", "restricted", "plan", "reference"] as const;
/** Why a search found nothing. */
export type Miss = (typeof MISSES)[number];

type Subject =
  | { kind: "imprint" | "device" | "account"; id: string }
  | { kind: "address"; range: string }
  | { kind: "network"; asn: number }
  | { kind: "beginning"; text: string }
  | { kind: "nothing"; why: Miss };

/** URL of the result, or of the page that says why there is none. */
export function resultHref(workspaceId: string, subject: Subject): string {
  switch (subject.kind) {
    case "address":
      return addressHref(workspaceId, subject.range);
    case "network":
      return networkHref(workspaceId, String(subject.asn));
    case "beginning":
      return narrowedHref(pageHref("reports", { workspaceId }), { search: subject.text });
    case "nothing":
      return queryHref("search", { workspaceId }, { why: subject.why });
    case "imprint":
      return subjectHref(workspaceId, "visit", subject.id);
    case "device":
    case "account":
      return subjectHref(workspaceId, subject.kind, subject.id);
  }
}
