import { pageHref } from "@/components/shell/pages";

/** The page of an autonomous system. */
export const networkHref = (workspaceId: string, asn: number): string =>
  `${pageHref("network", { workspaceId })}?of=${asn}`;
