import type { ReactNode } from "react";

import { CountedNotice } from "@/components/report/counted-notice";
import { filterOfValue, valueText } from "@/components/report/dimension-text";
import { RangeChoice } from "@/components/report/range-choice";
import { type AskedRange, reportsHref } from "@/components/report/range-query";
import { type ReportRow, ReportTable } from "@/components/report/report-table";
import { barsOf, StatusChart, STEP_OF_HOURS } from "@/components/report/status-chart";
import { changeText, TopList } from "@/components/report/top-list";
import { rangeTemplate } from "@/components/chart/chart-data";
import { WorldMap } from "@/components/report/world-map";
import { countryName } from "@/components/report/country-name";
import { addressHref, pageHref } from "@/components/shell/pages";
import type { Action } from "@/components/ui/action-result";
import { ButtonLink } from "@/components/ui/button";
import { counted, countText } from "@/components/ui/counted";
import { Figure, FigureGrid } from "@/components/ui/figure";
import { shortId } from "@/components/ui/id";
import { Link } from "@/components/ui/link";
import { PageHeader, Panel } from "@/components/ui/panel";
import type { Busiest, Summary, SummaryRow } from "@/lib/visits/slices";
import type { AttentionItem } from "../attention";
import { AttentionList } from "./attention-list";

type SummaryDimension = keyof Summary["by"];
type Props = {
  workspaceId: string;
  now: Date;
  zone: string;
  asked: AskedRange;
  label: string;
  attention: readonly AttentionItem[];
  summary: Summary;
  busiest: Busiest | undefined;
  /** The steps to a first Report, while they are useful. */
  steps: ReactNode | undefined;
  /** Whether a server has read a Report, or the steps already say that none has. */
  isRead: boolean;
  recent: { items: readonly ReportRow[]; addressesVisible: boolean };
  allow: Action<{ workspaceId: string; webAppId: string; origins: string[] }, unknown> | undefined;
};

const sum = ({ passed, suspicious, deceptive }: SummaryRow["verdicts"]) => passed + suspicious + deceptive;
const percent = (part: number, whole: number) =>
  whole === 0 ? "" : `${((part / whole) * 100).toFixed(1)} % of visits`;

/** The most frequent values of a dimension, each linked to its visits in the range. */
function TopValues(props: {
  id: string;
  title: string;
  dimension: SummaryDimension;
  workspaceId: string;
  summary: Summary;
  shown?: number;
  empty?: string;
}) {
  const { id, title, dimension, workspaceId, summary, shown = 6, empty = "No visits in this time." } = props;
  const found = summary.by[dimension];
  if (!found) return null;
  const explore = `${pageHref("explore", { workspaceId })}?by=${dimension}`;
  return (
    <TopList
      id={id}
      title={title}
      heading={title}
      rows={found.rows.slice(0, shown).map(({ value, verdicts, visits, previous }) => {
        const filter = filterOfValue(dimension, value);
        return {
          key: value,
          text: valueText(dimension, value),
          href: filter && reportsHref(workspaceId, summary, filter),
          visits,
          verdicts,
          previous,
        };
      })}
      others={found.values - Math.min(shown, found.rows.length)}
      aside={
        <span className="flex gap-3">
          {dimension === "rule" ? (
            <Link className="link" href={pageHref("rules", { workspaceId })}>
              Precision
            </Link>
          ) : null}
          <Link className="link" href={explore}>
            Explore
          </Link>
        </span>
      }
      empty={empty}
    >
      {dimension === "country" && found.rows.length > 0 ? (
        <div className="border-b p-3">
          <WorldMap
            label={`Map, visits by country: ${found.rows.map(({ value, visits }) => `${value === "" ? "unknown" : countryName(value)} ${visits}`).join(", ")}`}
            marks={found.rows.map(({ value, visits }) => ({ countryCode: value, count: visits }))}
          />
        </div>
      ) : null}
    </TopList>
  );
}

/** The range selects the devices and addresses; their accounts are counted over all time. */
const ACCOUNTS_ASIDE = "seen in this time, with all their accounts";

function MostAccounts({ workspaceId, busiest }: { workspaceId: string; busiest: Busiest | undefined }) {
  if (!busiest) return null;
  const empty = "None of the busiest has more than one account.";
  return (
    <>
      <TopList
        id="device-accounts"
        title="Devices with most accounts"
        heading="Device"
        counted="Accounts"
        aside={ACCOUNTS_ASIDE}
        rows={busiest.devices.map(({ deviceId, accounts }) => ({
          key: deviceId,
          text: <span className="font-mono text-xs">{shortId(deviceId)}</span>,
          href: pageHref("device", { workspaceId, deviceId }),
          visits: accounts,
        }))}
        empty={empty}
      />
      {busiest.addresses ? (
        <TopList
          id="address-accounts"
          title="Addresses with most accounts"
          heading="Address"
          counted="Accounts"
          aside={ACCOUNTS_ASIDE}
          rows={busiest.addresses.map(({ address, accounts, devices }) => ({
            key: address,
            text: (
              <>
                <span className="font-mono text-xs">{address}</span>{" "}
                <span className="text-fg-muted">{counted(devices, "device")}</span>
              </>
            ),
            href: addressHref(workspaceId, address),
            visits: accounts,
          }))}
          empty={empty}
        />
      ) : null}
    </>
  );
}

function Figures({ workspaceId, summary }: Pick<Props, "workspaceId" | "summary">) {
  const { total, previous } = summary;
  const all = sum(total);
  const figure = (name: string, value: number, before: number | undefined, risk?: string) => (
    <Figure
      name={name}
      value={
        <Link className="hover:underline" href={reportsHref(workspaceId, summary, risk ? { risk } : {})}>
          {countText(value)}
        </Link>
      }
    >
      {[
        risk ? percent(value, all) : "",
        before === undefined ? "" : changeText(value, before) && `${changeText(value, before)} vs. before`,
      ]
        .filter(Boolean)
        .join(", ") || "\u00a0"}
    </Figure>
  );
  return (
    <FigureGrid className="mb-4 grid-cols-2 rounded-lg border bg-surface nav:grid-cols-4">
      {figure("Visits", all, previous && sum(previous.total))}
      {figure("Pass", total.passed, previous?.total.passed, "PASS")}
      {figure("Suspicious", total.suspicious, previous?.total.suspicious, "SUSPICIOUS")}
      {figure("Deceptive", total.deceptive, previous?.total.deceptive, "DECEPTIVE")}
    </FigureGrid>
  );
}

export function Overview(props: Props) {
  const { workspaceId, now, zone, asked, label, attention, summary, busiest, steps, isRead, recent, allow } = props;
  const path = pageHref("overview", { workspaceId });
  const reports = pageHref("reports", { workspaceId });
  const of = { workspaceId, summary };
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          <ButtonLink size="sm" variant="ghost" href={pageHref("recognition", { workspaceId })}>
            Recognition
          </ButtonLink>
        }
      />
      {steps}
      {isRead ? null : (
        <p className="mb-4 rounded-md bg-susp-bg px-3 py-2 text-susp">
          Visits arrive, but no server has read a Report yet.{" "}
          <Link className="underline underline-offset-2" href="/docs/quickstart#3-read-the-report-on-your-server">
            How your server reads one
          </Link>
        </p>
      )}
      <AttentionList workspaceId={workspaceId} items={attention} allow={allow} />
      <RangeChoice path={path} asked={asked} zone={zone} />
      <CountedNotice wholeFrom={summary.wholeFrom} zone={zone} />
      <Figures {...of} />
      <Panel className="mb-4 px-4 pt-3">
        <StatusChart
          steps={barsOf(summary.starts, summary.steps)}
          step={STEP_OF_HOURS[summary.stepHours]}
          span={label}
          zone={zone}
          to={summary.to}
          template={rangeTemplate(reports)}
          hrefOf={(risk) => reportsHref(workspaceId, summary, { risk })}
          previous={summary.previous?.steps}
        />
      </Panel>
      <div className="mb-4 grid items-start gap-4 nav:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <TopValues id="reasons" title="Reasons" dimension="reason" empty="Nothing was found." {...of} />
          <TopValues id="countries" title="Countries" dimension="country" shown={5} {...of} />
          <TopValues id="surfaces" title="Surfaces" dimension="surface" {...of} />
          <TopValues id="browsers" title="Browsers" dimension="browser" {...of} />
        </div>
        <div className="grid min-w-0 gap-4">
          <TopValues id="rules" title="Rules that fired" dimension="rule" empty="No rule fired." {...of} />
          <TopValues id="networks" title="Networks" dimension="network" {...of} />
          <MostAccounts workspaceId={workspaceId} busiest={busiest} />
          <TopValues id="systems" title="Systems" dimension="system" {...of} />
        </div>
      </div>
      <Panel
        id="recent"
        title="Last Reports"
        aside={
          <Link className="link" href={reports}>
            All Reports
          </Link>
        }
      >
        <ReportTable
          workspaceId={workspaceId}
          rows={recent.items}
          now={now}
          addressesVisible={recent.addressesVisible}
          zone={zone}
        />
      </Panel>
    </>
  );
}
