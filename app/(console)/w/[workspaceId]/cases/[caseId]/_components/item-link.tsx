import { AddressLink } from "@/components/report/address-link";
import { SubjectId } from "@/components/report/subject-id";
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
  return <SubjectId workspaceId={workspaceId} kind={kind} value={value} copy="hover" />;
}
