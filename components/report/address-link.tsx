import Link from "next/link";

/** Where the devices of an address or a range are listed. */
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
