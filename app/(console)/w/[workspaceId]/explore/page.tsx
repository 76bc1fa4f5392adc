import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { deleteViewAction, renameViewAction, saveViewAction } from "@/app/(console)/actions/views";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { orRefused } from "@/app/_server/unless-restricted";
import { rangeTemplate } from "@/components/chart/chart-data";
import { CountedNotice } from "@/components/report/counted-notice";
import { RangeChoice } from "@/components/report/range-choice";
import { type AskedRange, askedRange, reportsHref } from "@/components/report/range-query";
import { SavedViews } from "@/components/report/saved-views";
import { barsOf, StatusChart, STEP_OF_HOURS } from "@/components/report/status-chart";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { countText } from "@/components/ui/counted";
import type { RawQuery } from "@/components/ui/filter-texts";
import { PageHeader, Panel } from "@/components/ui/panel";
import { NoMatchState, RestrictedState } from "@/components/ui/states";
import { type AppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { listViews, type View } from "@/lib/tenancy/views";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { type Access, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { explore, type Explored } from "@/lib/visits/slices";
import { ExploreForm } from "./_components/explore-form";
import {
  exploreParameters,
  type ExploreQuery,
  offeredDimensions,
  parseExploreQuery,
} from "./_components/explore-query";
import { ExploreTable } from "./_components/explore-table";

export const metadata = pageMetadata("explore");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

const dimensionsOf = ({ by, and }: ExploreQuery) => (and === undefined ? ([by] as const) : ([by, and] as const));

/** The range as query parameters. */
const rangeOf = ({ span, from, to, zone }: AskedRange): Record<string, string> =>
  from !== undefined && to !== undefined ? { from, to, ...(zone === undefined ? {} : { zone }) } : { span };

async function readExplored(context: Context, access: Access, query: ExploreQuery, range: { from: Date; to: Date }) {
  const { workspaceId } = access;
  const [webApps, views] = await Promise.all([
    listWebApps(context, { workspaceId }),
    listViews(context, { workspaceId }),
  ]);
  const asked = { workspaceId, dimensions: dimensionsOf(query), order: query.order, ...range };
  return { webApps, views, ...(await orRefused(explore(context, asked))) };
}

function Refused({ error, clear }: { error: AppError; clear: string }) {
  return (
    <Panel>
      <RestrictedState
        title={
          error.code === "invalid_request" ? "These two cannot be combined" : "That is not part of your role or plan"
        }
        action={<ButtonLink href={clear}>Start again</ButtonLink>}
      >
        {error.message}.
      </RestrictedState>
    </Panel>
  );
}

/** Saved views of Explore; those of the list of Reports are in its own menu. */
const toSavedView = (path: string, { viewId, name, canChange, query }: View) => ({
  viewId,
  name,
  canChange,
  ...(query === undefined ? {} : { href: `${path}?${query}` }),
});
const isOfExplore = ({ query }: View) => query === undefined || new URLSearchParams(query).has("by");

function Chart({
  workspaceId,
  explored,
  label,
  zone,
}: {
  workspaceId: string;
  explored: Explored;
  label: string;
  zone: string;
}) {
  return (
    <Panel className="mb-4 px-4 pt-3">
      <StatusChart
        steps={barsOf(explored.starts, explored.total.series)}
        step={STEP_OF_HOURS[explored.stepHours]}
        span={`all visits, ${label}`}
        zone={zone}
        to={explored.to}
        template={rangeTemplate(pageHref("reports", { workspaceId }))}
        hrefOf={(risk) => reportsHref(workspaceId, explored, { risk })}
      />
    </Panel>
  );
}

export default async function ExplorePage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const [raw, zone] = [await searchParams, await pageZone()];
  const path = pageHref("explore", { workspaceId });
  const query = parseExploreQuery(raw);
  const page = await openPage("explore", { workspaceId }, async (context, access) => {
    const { asked, from, to, label } = askedRange(raw, context.now, zone);
    return { access, asked, label, ...(await readExplored(context, access, query, { from, to })) };
  });
  if (!page.ok) return page.restricted;
  const { access, asked, label, webApps, views, result: explored, refusal } = page.value;
  const dimensions = dimensionsOf(query);
  const shown = new URLSearchParams({ ...exploreParameters(query), ...rangeOf(asked) }).toString();
  const offered = offeredDimensions({
    places: access.canSeeAddresses,
    accounts: PLAN_LIMITS[access.plan].hasAccountMap,
  });
  return (
    <>
      <PageHeader
        title="Explore"
        actions={
          <SavedViews
            workspaceId={workspaceId}
            query={shown}
            shown={`${path}?${shown}`}
            views={views.filter(isOfExplore).map((view) => toSavedView(path, view))}
            save={saveViewAction}
            rename={renameViewAction}
            remove={deleteViewAction}
            readConsequences={readConsequencesAction}
          />
        }
      />
      <ExploreForm path={path} query={query} offered={offered} range={rangeOf(asked)} />
      <RangeChoice path={path} asked={asked} zone={zone} others={exploreParameters(query)} />
      {refusal ? (
        <Refused error={refusal} clear={path} />
      ) : (
        <>
          <CountedNotice wholeFrom={explored.wholeFrom} zone={zone} />
          <Chart workspaceId={workspaceId} explored={explored} label={label} zone={zone} />
          <Panel
            id="most"
            title="Most frequent"
            aside={`${countText(explored.rows.length)} of ${countText(explored.rowCount)}`}
          >
            {explored.rows.length === 0 ? (
              <NoMatchState title="Nothing to count">No visit of the {label} has such a value.</NoMatchState>
            ) : (
              <ExploreTable workspaceId={workspaceId} dimensions={dimensions} explored={explored} webApps={webApps} />
            )}
          </Panel>
        </>
      )}
    </>
  );
}
