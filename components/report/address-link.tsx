import { Link } from "@/components/ui/link";

/** Address of the page that lists the devices of an address or range. */
export const addressHref = (workspaceId: string, range: string): string =>
  `/w/${workspaceId}/addresses?of=${encodeURIComponent(range)}`;

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
