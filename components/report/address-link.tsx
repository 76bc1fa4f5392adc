import { addressHref } from "@/components/shell/pages";
import { CellLink } from "@/components/ui/cell-link";

export function AddressLink({ workspaceId, address }: { workspaceId: string; address: string }) {
  return (
    <CellLink href={addressHref(workspaceId, address)} className="font-mono text-xs break-all">
      {address}
    </CellLink>
  );
}
