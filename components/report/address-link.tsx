import { addressHref } from "@/components/shell/pages";
import { Link } from "@/components/ui/link";

export function AddressLink({ workspaceId, address }: { workspaceId: string; address: string }) {
  return (
    <Link
      href={addressHref(workspaceId, address)}
      className="font-mono text-xs break-all underline decoration-border-strong underline-offset-3 hover:decoration-current"
    >
      {address}
    </Link>
  );
}
