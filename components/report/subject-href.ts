import { addressHref, networkHref, pageHref } from "@/components/shell/pages";

export const KIND_TEXTS = {
  visit: "Visit",
  device: "Device",
  account: "Account",
  address: "Address",
  network: "Network",
} as const;
export type SubjectKind = keyof typeof KIND_TEXTS;

/** URL of the page about a visit, device, account, address or network. */
export function subjectHref(workspaceId: string, kind: SubjectKind, value: string): string {
  switch (kind) {
    case "visit":
      return pageHref("report", { workspaceId, imprint: value });
    case "device":
      return pageHref("device", { workspaceId, deviceId: value });
    case "account":
      return pageHref("account", { workspaceId, accountId: value });
    case "address":
      return addressHref(workspaceId, value);
    case "network":
      return networkHref(workspaceId, value);
  }
}
