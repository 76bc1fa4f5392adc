import { RiskBadge } from "@/components/report/risk-badge";
import { KIND_TEXTS } from "@/components/report/subject-href";
import { SubjectTd } from "@/components/report/subject-id";
import { NumberTh } from "@/components/ui/cells";
import { counted } from "@/components/ui/counted";
import { Table, Td } from "@/components/ui/table";
import type { LinkedNode, LinkedView } from "@/lib/visits/investigation";
import { ADDRESS_TEXTS } from "./node-text";

const STEPS = ["what was asked about", "1 step", "2 steps"] as const;

function about({ kind, addressKind, sharedBy }: LinkedNode): string {
  if (kind !== "address" || addressKind === undefined) return "";
  return `${counted(sharedBy ?? 0, "device")}; ${ADDRESS_TEXTS[addressKind]}`;
}

/** All linked objects, each with its distance and group. */
export function LinkTable({ workspaceId, view }: { workspaceId: string; view: LinkedView }) {
  const groupOf = new Map(view.groups.flatMap(({ nodes }, group) => nodes.map((index) => [index, group + 1] as const)));
  const linksOf = (index: number) =>
    view.links.filter(({ device, other }) => device === index || other === index).length;
  return (
    <Table
      label="What is linked"
      columns={["What", "Kind", "How far", "Last verdict", <NumberTh>Links</NumberTh>, "Group", "Who shares it"]}
    >
      {view.nodes.map((node, index) => (
        <tr key={`${node.kind} ${node.value}`}>
          <SubjectTd workspaceId={workspaceId} kind={node.kind} value={node.value} copy="hover" />
          <Td>{KIND_TEXTS[node.kind]}</Td>
          <Td>{STEPS[node.step]}</Td>
          <Td>{node.lastStatus === undefined ? "–" : <RiskBadge status={node.lastStatus} />}</Td>
          <Td className="text-right">{linksOf(index)}</Td>
          <Td>{groupOf.get(index) ?? "none"}</Td>
          <Td className="min-w-56 whitespace-normal">{about(node) || <span className="text-fg-muted">–</span>}</Td>
        </tr>
      ))}
    </Table>
  );
}
