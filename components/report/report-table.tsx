import type { ReactNode } from "react";

import { SubjectId, SubjectTd } from "@/components/report/subject-id";
import { cn } from "@/components/ui/class-names";
import { foreign } from "@/components/ui/foreign";
import { CutTd, Table, Td } from "@/components/ui/table";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import { UTC } from "@/components/ui/zone";
import type { Reason, ReportStatus } from "@/lib/contract/report";
import { AddressLink } from "./address-link";
import { COLUMN_NAMES, DEFAULT_PREFERENCES, type ListColumn, type ListPreferences } from "./list-preferences";
import { REASON_COPY } from "./reason-copy";
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
  network?: { asn: number | undefined; provider: string | undefined };
  accountId?: string | null;
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

/** Columns that the member may not see, or the plan does not include, are not offered: they would be empty. */
export const offeredColumns = (facts: { addressesVisible: boolean; accountsVisible: boolean }): ListColumn[] =>
  (Object.keys(COLUMN_NAMES) as ListColumn[]).filter((column) => {
    if (column === "account") return facts.accountsVisible;
    return facts.addressesVisible || !["address", "country", "network"].includes(column);
  }); // the keys are the columns

const networkText = ({ network }: ReportRow) =>
  [network?.asn === undefined ? undefined : `AS${network.asn}`, network?.provider].filter(Boolean).join(" ");

type CellProps = { workspaceId: string; row: ReportRow };

/** Wraps within the height of a row. */
const WRAPPED = "py-0.5 leading-4 whitespace-normal";

/** `The visit came through a proxy or VPN (PROXY_DETECTED)` */
const reasonText = (reason: Reason) => `${REASON_COPY[reason].title} (${reason})`;

/** The first reason in words; the title has all of them, with their codes. */
function Reasons({ reasons: [first, ...others] }: Pick<ReportRow, "reasons">) {
  if (first === undefined)
    return (
      <Td>
        <Unknown />
      </Td>
    );
  return (
    <Td className={cn(WRAPPED, "min-w-36 text-xs")} title={[first, ...others].map(reasonText).join("\n")}>
      {REASON_COPY[first].title}
      {others.length > 0 ? <span className="whitespace-nowrap text-fg-muted"> +{others.length}</span> : null}
    </Td>
  );
}

const CELLS: Record<ListColumn, (props: CellProps) => ReactNode> = {
  account: ({ workspaceId, row: { accountId } }) => (
    <Td>
      {accountId ? <SubjectId workspaceId={workspaceId} kind="account" value={accountId} copy="hover" /> : <Unknown />}
    </Td>
  ),
  address: ({ workspaceId, row: { address } }) => (
    <Td className={cn(WRAPPED, "max-w-44 min-w-33")}>
      {address ? <AddressLink workspaceId={workspaceId} address={address} /> : <Unknown />}
    </Td>
  ),
  country: ({ row: { countryCode } }) => <Td>{countryCode ?? <Unknown />}</Td>,
  network: ({ row }) => (
    <CutTd className="max-w-48" title={networkText(row)}>
      {networkText(row) || <Unknown />}
    </CutTd>
  ),
  client: ({ row }) => (
    <Td className={WRAPPED} title={`${clientName(row)}, ${foreign(row.webAppName)}, ${row.surface}`}>
      {familyText(row) || <Unknown />}
    </Td>
  ),
  surface: ({ row: { surface } }) => (
    <CutTd className="max-w-40" title={surface}>
      {surface}
    </CutTd>
  ),
  app: ({ row: { webAppName } }) => (
    <CutTd className="max-w-40" title={webAppName}>
      {webAppName}
    </CutTd>
  ),
};

function Row({ workspaceId, row, now, zone, shown, isAbsolute }: CellProps & Shown) {
  const TimeOf = isAbsolute ? AbsoluteTime : RelativeTime;
  return (
    <tr className="relative hover:bg-surface-2 focus-within:bg-surface-2">
      <Td>
        <TimeOf at={row.recordedAt} now={now} zone={zone} />
      </Td>
      <Td>
        <RiskBadge status={row.status} />
      </Td>
      <Reasons reasons={row.reasons} />
      <SubjectTd workspaceId={workspaceId} kind="visit" value={row.imprint} isRowLink copy="hover" />
      <SubjectTd workspaceId={workspaceId} kind="device" value={row.deviceId} copy="hover" />
      {shown.map((column) => {
        const Cell = CELLS[column];
        return <Cell key={column} workspaceId={workspaceId} row={row} />;
      })}
    </tr>
  );
}

type Shown = { now: Date; zone: string; shown: readonly ListColumn[]; isAbsolute: boolean };
type Props = {
  workspaceId: string;
  rows: readonly ReportRow[];
  now: Date;
  addressesVisible: boolean;
  zone?: string;
  preferences?: ListPreferences;
  hasStickyHead?: boolean;
};

/** Reports as a dense table, on phones as blocks; the whole row opens the Report. */
export function ReportTable({ workspaceId, rows, now, addressesVisible, zone = UTC, ...props }: Props) {
  const { preferences = DEFAULT_PREFERENCES, hasStickyHead = false } = props;
  const offered = offeredColumns({
    addressesVisible,
    accountsVisible: rows.some((row) => row.accountId !== undefined),
  });
  const shown = offered.filter((column) => preferences.columns.includes(column));
  return (
    <Table
      label="Reports"
      hasStickyHead={hasStickyHead}
      columns={["Time", "Risk", "Reasons", "Imprint", "Device", ...shown.map((column) => COLUMN_NAMES[column])]}
    >
      {rows.map((row) => (
        <Row
          key={row.imprint}
          workspaceId={workspaceId}
          row={row}
          now={now}
          zone={zone}
          shown={shown}
          isAbsolute={preferences.isAbsolute}
        />
      ))}
    </Table>
  );
}
