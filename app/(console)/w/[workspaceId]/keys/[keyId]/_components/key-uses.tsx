"use client";

import { IdTd, NumberTh, TimeTd } from "@/components/ui/cells";
import { Id } from "@/components/ui/id";
import { Panel } from "@/components/ui/panel";
import { CutTd, Table, Td } from "@/components/ui/table";
import { failureText, LiveClient, usePolled } from "@/components/shell/live-client";
import { operationName } from "@/components/shell/operation-name";

const INTERVAL_MS = 5_000;

type Use = {
  /** Absent for members who may not see addresses. */
  address?: string;
  agent: string;
  operation: string;
  /** Error code; empty if the call succeeded. */
  code: string;
  calls: number;
  firstAt: string;
  lastAt: string;
  lastRequestId: string;
};
export type KeyUsesAnswer = { at: string; addressesVisible: boolean; uses: Use[] };
type Props = { path: string; initial: KeyUsesAnswer };

function Address({ address }: { address: string }) {
  if (address === "*") return <span className="text-fg-muted">further callers</span>;
  if (address === "") return <span className="text-fg-muted">not known</span>;
  return <Id value={address} isWhole copy="hover" />;
}

function Line({ use, at }: { use: Use; at: string }) {
  return (
    <tr>
      <TimeTd at={use.lastAt} now={at} />
      <Td>{operationName(use.operation)}</Td>
      <Td>{use.code === "" ? "answered" : <span className="font-mono text-xs">{use.code}</span>}</Td>
      {use.address === undefined ? null : (
        <Td>
          <Address address={use.address} />
        </Td>
      )}
      <CutTd className="max-w-64" title={use.agent}>
        {use.agent === "" ? <span className="text-fg-muted">none named</span> : use.agent}
      </CutTd>
      <Td className="text-right">{use.calls}</Td>
      <IdTd value={use.lastRequestId} copy="hover" />
    </tr>
  );
}

function Uses({ path, initial }: Props) {
  const { data, error } = usePolled(path, initial, INTERVAL_MS);
  return (
    <Panel
      id="uses"
      title="Calls with this key"
      aside={
        <span role="status">
          {error ? `${failureText(error)}; shown is the last state` : "by hour, kept for 30 days, updates by itself"}
        </span>
      }
    >
      {data.uses.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">
          There were no calls with this key in 30 days. A call appears here about a second after it was made.
        </p>
      ) : (
        <Table
          label="Calls with this key"
          columns={[
            "Last call",
            "What",
            "Outcome",
            data.addressesVisible && "Address",
            "Client",
            <NumberTh>Calls</NumberTh>,
            "Last request",
          ]}
        >
          {data.uses.map((use) => (
            <Line
              key={`${use.firstAt} ${use.address ?? ""} ${use.agent} ${use.operation} ${use.code} ${use.lastRequestId}`}
              use={use}
              at={data.at}
            />
          ))}
        </Table>
      )}
    </Panel>
  );
}

/** Callers of a key by hour, polled every five seconds while the page is visible. */
export function KeyUses(props: Props) {
  return (
    <LiveClient>
      <Uses {...props} />
    </LiveClient>
  );
}
