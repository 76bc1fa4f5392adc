import { pageContext, readForPage } from "@/app/_server/page";
import { ReportFilters } from "@/components/report/report-filters";
import { parseReportQuery, type ReportQuery, reportListHref, spanRange, SPANS } from "@/components/report/report-query";
import { ReportTable } from "@/components/report/report-table";
import { StatusChart } from "@/components/report/status-chart";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, NoMatchState, RestrictedState } from "@/components/ui/states";
import type { Context } from "@/lib/context";
import { isAppError } from "@/lib/errors";
import { countReports, listReports, type ReportPage, watchFirstVisit } from "@/lib/reports";

export const metadata = { title: "Reports" };

type Props = {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

async function readList(context: Context, workspaceId: string, query: ReportQuery) {
  const { from, to, stepSeconds } = spanRange(query.span, context.now);
  const filter = { workspaceId, from, to, ...(query.search ? { search: query.search } : {}) };
  const paging = { ...(query.before ? { before: query.before } : {}), ...(query.after ? { after: query.after } : {}) };
  try {
    const [counts, page, { hasVisits }] = await Promise.all([
      countReports(context, { ...filter, stepSeconds }),
      listReports(context, { ...filter, ...paging, ...(query.risk ? { status: query.risk } : {}) }),
      watchFirstVisit(context, { workspaceId, since: null }),
    ]);
    return { counts, page, hasVisits, stepSeconds, refusal: undefined };
  } catch (error) {
    if (!isAppError(error) || error.code !== "invalid_request") throw error;
    return { refusal: error.message };
  }
}

function Pages({ path, query, page }: { path: string; query: ReportQuery; page: ReportPage }) {
  if (!page.newer && !page.older) return null;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2 border-t px-4 py-2">
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
  );
}

export default async function ReportsPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const path = `/w/${workspaceId}/reports`;
  const query = parseReportQuery(await searchParams);
  const context = await pageContext(reportListHref(path, query, {}));
  const reading = await readForPage(() => readList(context, workspaceId, query));
  if (!reading.ok)
    return <RestrictedState title="Reports are not part of your role">{reading.restriction}.</RestrictedState>;
  const list = reading.value;
  const clear = <ButtonLink href={path}>Clear the filters</ButtonLink>;
  if (list.refusal === undefined && !list.hasVisits) {
    return (
      <>
        <PageHeader title="Reports" />
        <Panel>
          <EmptyState
            title="No visit has arrived yet"
            action={
              <ButtonLink variant="primary" href={`/w/${workspaceId}`}>
                Put the component on a page
              </ButtonLink>
            }
          >
            Each visit that the browser component submits becomes a Report in this list.
          </EmptyState>
        </Panel>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Reports" />
      {list.refusal === undefined ? (
        <StatusChart
          steps={list.counts.steps}
          stepSeconds={list.stepSeconds}
          span={`last ${SPANS[query.span].label}`}
        />
      ) : null}
      <Panel>
        <ReportFilters path={path} query={query} />
        {list.refusal !== undefined ? (
          <NoMatchState title="That is no imprint and no device id" action={clear}>
            An imprint begins with <code className="font-mono text-xs">imp_</code>, a device id with{" "}
            <code className="font-mono text-xs">dev_</code>; the beginning of one is enough.
          </NoMatchState>
        ) : list.page.items.length === 0 ? (
          <NoMatchState title="No Reports match" action={clear}>
            Nothing in the last {SPANS[query.span].label} fits these filters.
          </NoMatchState>
        ) : (
          <>
            <ReportTable
              workspaceId={workspaceId}
              rows={list.page.items}
              now={context.now}
              addressesVisible={list.page.addressesVisible}
            />
            <Pages path={path} query={query} page={list.page} />
          </>
        )}
      </Panel>
    </>
  );
}
