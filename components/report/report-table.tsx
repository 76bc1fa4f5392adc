import { Id } from "@/components/ui/id";
import { Restricted } from "@/components/ui/states";
import { ElasticTd, Table, Td } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { UTC } from "@/components/ui/zone";
import type { Reason, ReportStatus } from "@/lib/contract/report";
import { AddressLink } from "./address-link";
import { RiskBadge } from "./risk-badge";

type Named = { name?: string | undefined; version?: string | undefined };
export type ReportRow = {
  imprint: string;
  deviceId: string;
  recordedAt: Date;
  webAppName: string;
  surface: string;
  status: ReportStatus;
  reasons: readonly Reason[];
  browser: Named;
  operatingSystem: Named;
  address?: string | null;
  countryCode?: string | null;
};

const major = (version: string | undefined) => version?.split(".")[0];
const named = ({ name, version }: Named, isShort: boolean) =>
  [name, isShort ? major(version) : version].filter(Boolean).join(" ");

/** `Chrome 142 · Windows 11` */
export const clientName = ({ browser, operatingSystem }: Pick<ReportRow, "browser" | "operatingSystem">): string =>
  [named(browser, true), named(operatingSystem, true)].filter(Boolean).join(" · ");

/** `Chrome · Windows`, for narrow columns */
const familyText = ({ browser, operatingSystem }: ReportRow): string =>
  [browser.name, operatingSystem.name].filter(Boolean).join(" · ");

const Unknown = () => (
  <span className="text-fg-muted" aria-label="unknown">
    –
  </span>
);

type Props = {
  workspaceId: string;
  rows: readonly ReportRow[];
  now: Date;
  addressesVisible: boolean;
  zone?: string;
};

/** Reports as a dense table; the imprint links to the Report. */
export function ReportTable({ workspaceId, rows, now, addressesVisible, zone = UTC }: Props) {
  return (
    <Table label="Reports" columns={["Time", "Risk", "Reasons", "Imprint", "Device", "IP", "Country", "Client"]}>
      {rows.map((row) => (
        <tr key={row.imprint} className="hover:bg-surface-2 focus-within:bg-surface-2">
          <Td>
            <RelativeTime at={row.recordedAt} now={now} zone={zone} />
          </Td>
          <Td>
            <RiskBadge status={row.status} />
          </Td>
          <Td className="max-w-64 truncate font-mono text-[0.6875rem] text-fg-muted" title={row.reasons.join(", ")}>
            {row.reasons[0] ?? <Unknown />}
            {row.reasons.length > 1 ? ` +${row.reasons.length - 1}` : ""}
          </Td>
          <Td>
            <Id value={row.imprint} href={`/w/${workspaceId}/reports/${row.imprint}`} isRowLink />
          </Td>
          <Td>
            <Id value={row.deviceId} href={`/w/${workspaceId}/devices/${row.deviceId}`} />
          </Td>
          <Td className="font-mono text-xs">
            {!addressesVisible ? (
              <Restricted />
            ) : row.address ? (
              <AddressLink workspaceId={workspaceId} address={row.address} />
            ) : (
              <Unknown />
            )}
          </Td>
          <Td>{addressesVisible ? (row.countryCode ?? <Unknown />) : <Restricted />}</Td>
          <ElasticTd title={`${clientName(row)}, ${row.webAppName}, ${row.surface}`}>
            {familyText(row) || <Unknown />}
          </ElasticTd>
        </tr>
      ))}
    </Table>
  );
}
