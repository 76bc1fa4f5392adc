import { AddressLink } from "@/components/report/address-link";
import { pageHref } from "@/components/shell/pages";
import { Id } from "@/components/ui/id";
import { Restricted } from "@/components/ui/states";

type Kind = "visit" | "device" | "address" | "account";
type Props = {
  workspaceId: string;
  kind: Kind;
  /** Undefined if the member may not see it. */
  value: string | undefined;
};

export const KIND_TEXTS = { visit: "Visit", device: "Device", address: "Address", account: "Account" } as const;

/** Links to the object of a case item. */
export function ItemLink({ workspaceId, kind, value }: Props) {
  if (value === undefined) return <Restricted />;
  switch (kind) {
    case "address":
      return <AddressLink workspaceId={workspaceId} address={value} />;
    case "visit":
      return <Id value={value} href={pageHref("report", { workspaceId, imprint: value })} copy="hover" />;
    case "device":
      return <Id value={value} href={pageHref("device", { workspaceId, deviceId: value })} copy="hover" />;
    case "account":
      return <Id value={value} href={pageHref("account", { workspaceId, accountId: value })} copy="hover" />;
  }
}
