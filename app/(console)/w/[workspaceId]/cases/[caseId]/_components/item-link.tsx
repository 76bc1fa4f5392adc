import { AddressLink } from "@/components/report/address-link";
import { subjectHref } from "@/components/report/subject-href";
import { Id } from "@/components/ui/id";
import { Restricted } from "@/components/ui/states";

type Props = {
  workspaceId: string;
  kind: "visit" | "device" | "address" | "account";
  /** Undefined if the member may not see it. */
  value: string | undefined;
};

/** Links to the object of a case item. */
export function ItemLink({ workspaceId, kind, value }: Props) {
  if (value === undefined) return <Restricted />;
  if (kind === "address") return <AddressLink workspaceId={workspaceId} address={value} />;
  return <Id value={value} href={subjectHref(workspaceId, kind, value)} copy="hover" />;
}
