import { redirect } from "next/navigation";
import type { ReactNode } from "react";

import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { deleteViewAction, renameViewAction, saveViewAction } from "@/app/(console)/actions/views";
import { listPreferences } from "@/app/_server/list-preferences";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import {
  filtersLeftOut,
  isRedundant,
  isTimeLeftOut,
  parseReportQuery,
  type ReportQuery,
  reportListHref,
  reportQueryText,
  SPANS,
  timeRange,
} from "@/components/report/report-query";
import { orRefused } from "@/app/_server/unless-restricted";
import { rangeTemplate } from "@/components/chart/chart-data";
import { FILTER_NAMES } from "@/components/report/dimension-text";
import { LeftOutNotice } from "@/components/report/left-out-notice";
import { ListOptions } from "@/components/report/list-options";
import { offeredColumns, ReportTable } from "@/components/report/report-table";
import { SavedViews, type SavedView } from "@/components/report/saved-views";
import { SearchBox } from "@/components/report/search-box";
import { StatusChart } from "@/components/report/status-chart";
import { pageHref } from "@/components/shell/pages";
import { buttonStyle, ButtonLink } from "@/components/ui/button";
import { countText } from "@/components/ui/counted";
import { DownloadLink } from "@/components/ui/download-link";
import type { RawQuery } from "@/components/ui/filter-texts";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, NoMatchState, RestrictedState } from "@/components/ui/states";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { type AppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { listViews, type View } from "@/lib/tenancy/views";
import { listWebApps } from "@/lib/tenancy/web-apps";
import {
  countReports,
  listReports,
  MAX_EXPORTED,
  type ReportCounts,
  type ReportPage,
  watchFirstVisit,
} from "@/lib/visits/reports";
import { LiveSwitch } from "./_components/live-switch";
import { ReportFilters } from "./_components/report-filters";
import { filterOf } from "./filter";

export const metadata = pageMetadata("reports");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

async function readList(context: Context, workspaceId: string, query: ReportQuery, zone: string) {
  const { from, to, starts, step, label } = timeRange(query, context.now, zone);
  const { status, ...others } = { ...filterOf(workspaceId, query), from, to };
  const [{ hasVisits }, webApps, views] = await Promise.all([
    watchFirstVisit(context, { workspaceId, since: null }),
    listWebApps(context, { workspaceId }),
    listViews(context, { workspaceId }),
  ]);
  const { result, refusal } = await orRefused(
    Promise.all([
      countReports(context, { ...others, status, starts }),
      listReports(context, { ...others, status, before: query.before, after: query.after }),
    ]),
  );
  const common = { hasVisits, webApps, views, from, to };
  if (refusal) return { refusal, ...common };
  const [counts, page] = result;
  return { refusal, counts, page, step, label, ...common };
}

function Pages({ path, query, page }: { path: string; query: ReportQuery; page: ReportPage }) {
  const file = (format: string) => {
    const text = reportQueryText({ ...query, before: undefined, after: undefined });
    return `${path}/export${text === "" ? "?" : `${text}&`}format=${format}`;
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-t px-4 py-2">
      <span className="flex flex-wrap items-center gap-2 text-xs text-fg-muted">
        {["csv", "json"].map((format) => (
          <DownloadLink key={format} href={file(format)} className={buttonStyle({ size: "sm" })}>
            {format.toUpperCase()}
          </DownloadLink>
        ))}
        all that fit, at most {MAX_EXPORTED.toLocaleString("en-US")}
      </span>
      <nav aria-label="Pages" className="flex gap-2">
        {page.newer ? (
          <ButtonLink size="sm" href={reportListHref(path, query, { after: page.newer })}>
            Newer
          </ButtonLink>
        ) : null}
        {page.older ? (
          <ButtonLink size="sm" href={reportListHref(path, query, { before: page.older })}>
            Older
          </ButtonLink>
        ) : null}
      </nav>
    </div>
  );
}

function Refused({ error, clear }: { error: AppError; clear: ReactNode }) {
  if (error.code === "account_map_not_allowed")
    return (
      <RestrictedState title="Account Map is not part of this plan" action={clear}>
        Reports can be listed by account in Pro and Enterprise workspaces.
      </RestrictedState>
    );
  if (error.code === "forbidden")
    return (
      <RestrictedState title="Addresses and places are not part of your role" action={clear}>
        {error.message}. Ask an owner or admin of this workspace.
      </RestrictedState>
    );
  return (
    <NoMatchState title="This filter is not understood" action={clear}>
      {error.message}.
    </NoMatchState>
  );
}

function NothingYet({ workspaceId }: { workspaceId: string }) {
  return (
    <Panel>
      <EmptyState
        title="No visit has arrived yet"
        action={
          <ButtonLink variant="primary" href={pageHref("overview", { workspaceId })}>
            Put the component on a page
          </ButtonLink>
        }
      >
        Each visit that the browser component submits becomes a Report in this list.
      </EmptyState>
    </Panel>
  );
}

const totalOf = (total: ReportCounts["total"]) => total.PASS + total.SUSPICIOUS + total.DECEPTIVE;

/** Only the newest page of an open time range can be watched. */
const newerPath = (path: string, query: ReportQuery, { newest, newer }: ReportPage) =>
  newest === null || newer !== null || query.from !== undefined
    ? undefined
    : `${path}/newer${reportQueryText({ ...query, before: undefined, after: newest })}`;

/** A view with the URL that opens it. */
const toSavedView = (path: string, { viewId, name, canChange, query }: View): SavedView => ({
  viewId,
  name,
  canChange,
  ...(query === undefined
    ? {}
    : { href: reportListHref(path, parseReportQuery(Object.fromEntries(new URLSearchParams(query))), {}) }),
});

const NO_CHOICES = { rule: [], surface: [], connection: [], browser: [], system: [] };

/** Saved views of the list; those of Explore are in its own menu. */
const isOfList = ({ query }: View) => query === undefined || !new URLSearchParams(query).has("by");

export default async function ReportsPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const raw = await searchParams;
  const path = pageHref("reports", { workspaceId });
  const query = parseReportQuery(raw);
  const [isTime, filters] = [isTimeLeftOut(raw), filtersLeftOut(raw).map((name) => FILTER_NAMES[name])];
  // Keeps the URL while the page says what was wrong with it.
  if (isRedundant(raw) && !isTime && filters.length === 0) redirect(reportListHref(path, query, {}));
  const [zone, preferences, returnTo] = [await pageZone(), await listPreferences(), reportListHref(path, query, {})];
  const page = await openPage(
    "reports",
    { workspaceId },
    (context) => readList(context, workspaceId, query, zone),
    returnTo,
  );
  if (!page.ok) return page.restricted;
  const list = page.value;
  if (!list.hasVisits)
    return (
      <>
        <PageHeader title="Reports" />
        <NothingYet workspaceId={workspaceId} />
      </>
    );
  const clear = <ButtonLink href={path}>Clear the filters</ButtonLink>;
  const live = list.refusal ? undefined : newerPath(path, query, list.page);
  const unpaged = { ...query, before: undefined, after: undefined };
  const choices = { ...(list.refusal ? NO_CHOICES : list.counts.facets), webApps: list.webApps };
  return (
    <>
      <PageHeader title="Reports" actions={<SearchBox workspaceId={workspaceId} />} />
      <LeftOutNotice isTime={isTime} shown={`last ${SPANS[query.span].label}`} filters={filters} />
      {list.refusal ? null : (
        <StatusChart
          steps={list.counts.steps}
          step={list.step}
          span={list.label}
          zone={zone}
          to={list.to}
          template={rangeTemplate(path, reportQueryText(unpaged))}
          hrefOf={(risk) => reportListHref(path, query, { risk })}
        />
      )}
      <Panel>
        <ReportFilters path={path} query={query} choices={choices} zone={zone} range={list}>
          <ZoneSwitch zone={zone} />
          <SavedViews
            workspaceId={workspaceId}
            query={reportQueryText(unpaged).slice(1)}
            shown={reportListHref(path, unpaged, {})}
            views={list.views.filter(isOfList).map((view) => toSavedView(path, view))}
            save={saveViewAction}
            rename={renameViewAction}
            remove={deleteViewAction}
            readConsequences={readConsequencesAction}
          />
          {list.refusal ? null : (
            <ListOptions
              chosen={preferences}
              offered={offeredColumns({
                addressesVisible: list.page.addressesVisible,
                accountsVisible: list.page.accountsVisible,
              })}
            />
          )}
          {live === undefined ? null : <LiveSwitch newerPath={live} />}
        </ReportFilters>
        {list.refusal ? (
          <Refused error={list.refusal} clear={clear} />
        ) : list.page.items.length === 0 ? (
          <NoMatchState title="No Reports match" action={clear}>
            Nothing in the {list.label} fits these filters.
          </NoMatchState>
        ) : (
          <>
            <p className="border-b px-4 py-2 text-fg-muted">
              <span className="font-medium text-fg">{countText(totalOf(list.counts.total))}</span>{" "}
              {totalOf(list.counts.total) === 1 ? "Report" : "Reports"} in the {list.label}
              {list.page.addressesVisible ? null : ". Addresses and places are not part of your role"}
            </p>
            <ReportTable
              workspaceId={workspaceId}
              rows={list.page.items}
              now={page.context.now}
              addressesVisible={list.page.addressesVisible}
              zone={zone}
              preferences={preferences}
              hasStickyHead
            />
            <Pages path={path} query={query} page={list.page} />
          </>
        )}
      </Panel>
    </>
  );
}
