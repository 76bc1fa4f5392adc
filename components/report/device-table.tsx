import type { ReactNode } from "react";

import { SubjectTd } from "@/components/report/subject-id";
import { TimeTd } from "@/components/ui/cells";
import { countText } from "@/components/ui/counted";
import { ElasticTd, Table, Td, Th } from "@/components/ui/table";
import type { ReportStatus } from "@/lib/contract/report";
import { familyName } from "./family-name";
import { RiskBadge } from "./risk-badge";

export type DeviceRow = {
  deviceId: string;
  browserFamily: string;
  systemFamily: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  visits: number;
  lastStatus: ReportStatus | null;
};

type Props = {
  workspaceId: string;
  devices: readonly DeviceRow[];
  now: Date;
  zone: string;
  label: string;
  /** An additional first column. */
  extra?: { title: string; of: (deviceId: string) => ReactNode };
};

const clientName = ({ browserFamily, systemFamily }: DeviceRow) =>
  `${familyName(browserFamily)} · ${familyName(systemFamily)}`;

/** Devices as a dense table; each id links to its device. */
export function DeviceTable({ workspaceId, devices, now, zone, label, extra }: Props) {
  return (
    <Table
      label={label}
      columns={[
        "Device",
        extra && extra.title,
        "Last verdict",
        "Last seen",
        "First seen",
        <Th className="pr-5 text-right">Visits</Th>,
        "Client",
      ]}
    >
      {devices.map((device) => (
        <tr key={device.deviceId} className="hover:bg-surface-2 focus-within:bg-surface-2">
          <SubjectTd workspaceId={workspaceId} kind="device" value={device.deviceId} isRowLink />
          {extra ? <Td>{extra.of(device.deviceId)}</Td> : null}
          <Td>{device.lastStatus ? <RiskBadge status={device.lastStatus} /> : "–"}</Td>
          <TimeTd at={device.lastSeenAt} now={now} zone={zone} />
          <TimeTd at={device.firstSeenAt} now={now} zone={zone} />
          <Td className="pr-5 text-right">{countText(device.visits)}</Td>
          <ElasticTd title={clientName(device)}>{clientName(device)}</ElasticTd>
        </tr>
      ))}
    </Table>
  );
}
