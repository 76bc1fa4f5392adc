import { pageHref } from "@/components/shell/pages";

/** The page of an autonomous system by its number, with or without `AS`. */
export const networkHref = (workspaceId: string, asn: number | string): string =>
  `${pageHref("network", { workspaceId })}?of=${asn}`;
