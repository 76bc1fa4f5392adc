import { ChevronLeft, ChevronRight, Download, X } from "lucide-react";

import { openPage, pageMetadata } from "@/app/_server/console-page";
import { UnitsNotice, UnitsPanel } from "@/components/report/units-panel";
import { operationName } from "@/components/shell/operation-name";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink, buttonStyle } from "@/components/ui/button";
import type { RawQuery } from "@/components/ui/filter-texts";
import { shortId } from "@/components/ui/id";
import { DownloadLink } from "@/components/ui/download-link";
import { PageHeader, Panel } from "@/components/ui/panel";
import { projectUnits, readUsage, type Usage } from "@/lib/metering";
import type { Context } from "@/lib/platform/context";
import { listKeys } from "@/lib/tenancy/api-keys";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { type Access, holds } from "@/lib/tenancy/workspaces";
import { DayBars, MonthSoFar } from "./_components/day-bars";
import {
  monthName,
  readUsageQuery,
  shiftMonth,
  usageHref,
  type UsageQuery,
  usageRange,
} from "./_components/usage-query";
import { RefusalTable, type UsageRow, UsageTable } from "./_components/usage-tables";
import { foreign } from "@/components/ui/foreign";

export const metadata = pageMetadata("usage");

type Props = {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<RawQuery>;
};
type Named = { name: string; preview?: string };
type Names = ReadonlyMap<string, Named>;

async function readPage(context: Context, access: Access, query: UsageQuery) {
  const { workspaceId } = access;
  const { webAppId, keyId } = query;
  const [usage, webApps, keys] = await Promise.all([
    readUsage(context, { workspaceId, webAppId, keyId, ...usageRange(query, context.now) }),
    listWebApps(context, { workspaceId }),
    holds(access, "apiKey.read") ? listKeys(context, { workspaceId }) : [],
  ]);
  const names: Names = new Map([
    ...webApps.map(({ webAppId: id, name }) => [id, { name }] as const),
    ...keys.map(({ keyId, name, preview, lastFour }) => [keyId, { name, preview: `${preview}…${lastFour}` }] as const),
  ]);
  return { usage, names, query };
}

const nameOf = (names: Names, id: string): string => names.get(id)?.name ?? shortId(id);

function Breakdown({ usage, names, path, query }: { usage: Usage; names: Names; path: string; query: UsageQuery }) {
  const webApps = usage.webApps.map(({ webAppId, ...count }): UsageRow => ({
    key: webAppId ?? "none",
    name: webAppId === null ? <span className="text-fg-muted">did not reach a Web App</span> : nameOf(names, webAppId),
    href: webAppId === null ? undefined : usageHref(path, { ...query, webAppId }),
    count,
  }));
  const keys = usage.keys.map(({ keyId, ...count }): UsageRow => ({
    key: keyId ?? "none",
    name: keyId === null ? <span className="text-fg-muted">without a key</span> : nameOf(names, keyId),
    preview: keyId === null ? undefined : names.get(keyId)?.preview,
    href: keyId === null ? undefined : usageHref(path, { ...query, keyId }),
    count,
  }));
  const operations = usage.operations.map(({ operation, ...count }): UsageRow => ({
    key: operation,
    name: operationName(operation),
    count,
  }));
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <UsageTable id="by-web-app" title="By Web App" column="Web App" rows={webApps} />
      <UsageTable id="by-key" title="By key" column="Key" rows={keys} />
      <UsageTable id="by-operation" title="By operation" column="Operation" rows={operations} />
      <RefusalTable total={usage.total} />
    </div>
  );
}

function Controls({ path, query, isCurrent }: { path: string; query: UsageQuery; isCurrent: boolean }) {
  const at = (steps: number) => usageHref(path, { ...query, month: shiftMonth(query.month, steps) });
  return (
    <>
      <nav aria-label="Month" className="flex items-center gap-1">
        <ButtonLink size="icon" href={at(-1)} aria-label={monthName(shiftMonth(query.month, -1))}>
          <ChevronLeft aria-hidden />
        </ButtonLink>
        <span className="min-w-32 text-center font-medium" aria-current="true">
          {monthName(query.month)}
        </span>
        {isCurrent ? (
          <span className={buttonStyle({ size: "icon" })} aria-disabled="true" aria-hidden>
            <ChevronRight aria-hidden />
          </span>
        ) : (
          <ButtonLink size="icon" href={at(1)} aria-label={monthName(shiftMonth(query.month, 1))}>
            <ChevronRight aria-hidden />
          </ButtonLink>
        )}
      </nav>
      <DownloadLink className={buttonStyle()} href={usageHref(`${path}/export`, query)}>
        <Download aria-hidden />
        CSV
      </DownloadLink>
    </>
  );
}

/** The active filters, each with a link that removes it. */
function Narrowed({ path, query, names }: { path: string; query: UsageQuery; names: Names }) {
  const parts = [
    { id: query.webAppId, label: "Web App", without: { ...query, webAppId: undefined } },
    { id: query.keyId, label: "Key", without: { ...query, keyId: undefined } },
  ].flatMap(({ id, ...part }) => (id === undefined ? [] : [{ id, ...part }]));
  if (parts.length === 0) return null;
  return (
    <p className="mb-4 flex flex-wrap items-center gap-2">
      Only
      {parts.map(({ id, label, without }) => (
        <ButtonLink
          key={id}
          size="sm"
          href={usageHref(path, without)}
          aria-label={`Show all again, not only this ${label}`}
        >
          {label}: {foreign(nameOf(names, id))}
          <X aria-hidden />
        </ButtonLink>
      ))}
    </p>
  );
}

export default async function UsagePage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const [path, parameters] = [pageHref("usage", { workspaceId }), await searchParams];
  const page = await openPage("usage", { workspaceId }, (context, access) =>
    readPage(context, access, readUsageQuery(parameters, context.now)),
  );
  if (!page.ok) return page.restricted;
  const { usage, names, query } = page.value;
  const isCurrent = query.month === usage.month.period;
  const isWhole = query.webAppId === undefined && query.keyId === undefined;
  const month = isCurrent && isWhole ? usage.month : undefined;
  const projection = month && projectUnits(month, page.context.now);
  return (
    <>
      <PageHeader
        title="Usage"
        lead="One unit is the first delivery of a Report to a server. Reading it again, misses and refusals use none. Days are UTC."
        actions={<Controls path={path} query={query} isCurrent={isCurrent} />}
      />
      <Narrowed path={path} query={query} names={names} />
      {month ? <UnitsNotice {...month} /> : null}
      <UnitsPanel month={month} projection={projection} total={usage.total} />
      <Panel id="days" title="Report units by day" className="mb-4">
        <DayBars days={usage.days} name={monthName(query.month)} />
        {month && projection ? (
          <MonthSoFar days={usage.days} name={monthName(query.month)} limit={month.limit} atEnd={projection.atEnd} />
        ) : null}
      </Panel>
      <Breakdown usage={usage} names={names} path={path} query={query} />
    </>
  );
}
