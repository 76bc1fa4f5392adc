import { addressHref } from "@/components/report/address-link";
import { networkHref } from "@/components/report/network-link";
import { narrowedHref } from "@/components/report/report-query";

export const MISSES = ["imprint", "device", "account", "restricted", "plan", "reference"] as const;
/** Why a search found nothing. */
export type Miss = (typeof MISSES)[number];

type Subject =
  | { kind: "imprint" | "device" | "account"; id: string }
  | { kind: "address"; range: string }
  | { kind: "network"; asn: number }
  | { kind: "beginning"; text: string }
  | { kind: "nothing"; why: Miss };

const FOLDERS = { imprint: "reports", device: "devices", account: "accounts" } as const;

/** URL of the result, or of the page that says why there is none. */
export function subjectHref(workspaceId: string, subject: Subject): string {
  switch (subject.kind) {
    case "address":
      return addressHref(workspaceId, subject.range);
    case "network":
      return networkHref(workspaceId, subject.asn);
    case "beginning":
      return narrowedHref(`/w/${workspaceId}/reports`, { search: subject.text });
    case "nothing":
      return `/w/${workspaceId}/search?why=${subject.why}`;
    case "imprint":
    case "device":
    case "account":
      return `/w/${workspaceId}/${FOLDERS[subject.kind]}/${subject.id}`;
  }
}
