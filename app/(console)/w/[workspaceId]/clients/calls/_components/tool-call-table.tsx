import { SubjectId } from "@/components/report/subject-id";
import { IdTd, NumberTh } from "@/components/ui/cells";
import { Chip } from "@/components/ui/chip";
import { Table, Td } from "@/components/ui/table";
import { AbsoluteTime } from "@/components/ui/time";
import { outcomeText } from "./tool-call-labels";

export type ToolCallRow = {
  callId: string;
  calledAt: Date;
  tool: string;
  imprint: string | null;
  /** Error code; empty if the call succeeded. */
  code: string;
  durationMs: number;
  clientName: string;
  person: string;
  requestId: string;
};

export function ToolCallTable({ workspaceId, calls }: { workspaceId: string; calls: readonly ToolCallRow[] }) {
  return (
    <Table
      label="Tool calls"
      columns={["Time", "Tool", "About", "Outcome", <NumberTh>Took</NumberTh>, "Client", "Person", "Request"]}
    >
      {calls.map((call) => (
        <tr key={call.callId}>
          <Td>
            <AbsoluteTime at={call.calledAt} />
          </Td>
          <Td className="font-mono text-xs">{call.tool}</Td>
          <Td>
            {call.imprint === null ? (
              <span className="text-fg-muted">–</span>
            ) : (
              <SubjectId workspaceId={workspaceId} kind="visit" value={call.imprint} isRowLink />
            )}
          </Td>
          <Td>
            <Chip isActive={call.code === ""}>{outcomeText(call.code)}</Chip>
          </Td>
          <Td className="text-right tabular-nums">{call.durationMs} ms</Td>
          <Td>{call.clientName}</Td>
          <Td>{call.person}</Td>
          <IdTd value={call.requestId} className="text-fg-muted" />
        </tr>
      ))}
    </Table>
  );
}
