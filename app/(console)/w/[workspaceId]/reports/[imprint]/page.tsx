import type { Metadata } from "next";
import Link from "next/link";

import { pageContext, readForPage } from "@/app/_server/page";
import { curlCommand } from "@/components/console/snippets";
import { DeviceTimeline } from "@/components/report/device-timeline";
import { Findings } from "@/components/report/findings";
import {
  AccountMapFacts,
  ActivityFacts,
  ClientFacts,
  DeviceFacts,
  NetworkFacts,
} from "@/components/report/report-facts";
import { RiskBadge } from "@/components/report/risk-badge";
import { verdictText } from "@/components/report/verdict-text";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { shortId } from "@/components/ui/id";
import { PageHeader, Panel } from "@/components/ui/panel";
import { Restricted, RestrictedState } from "@/components/ui/states";
import { AbsoluteTime } from "@/components/ui/time";
import { baseUrl } from "@/lib/env";
import { type ConsoleReport, readReportForConsole } from "@/lib/reports";

type Props = { params: Promise<{ workspaceId: string; imprint: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Report ${shortId((await params).imprint)}` };
}

const titleOf = ({ surface, webApp }: ConsoleReport): string =>
  surface === "default"
    ? `Visit on ${webApp.name}`
    : `${surface.charAt(0).toUpperCase()}${surface.slice(1)} on ${webApp.name}`;

function Verdict({ view }: { view: ConsoleReport }) {
  const { report } = view;
  const found = report.risk.findings.length;
  const count = found === 1 ? "1 finding" : `${found} findings`;
  return (
    <Panel className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4">
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        <RiskBadge status={report.risk.status} size="lg" />
        <div className="min-w-0">
          <p className="font-semibold">{verdictText(report.risk.findings)}</p>
          <p className="text-fg-muted">
            {count} · rules {view.rulesVersion} · <AbsoluteTime at={report.created_at} />
          </p>
        </div>
      </div>
      <dl className="text-fg-muted sm:text-right">
        <div>
          <dt className="inline">Web App</dt> <dd className="inline text-fg">{view.webApp.name}</dd>
        </div>
        <div>
          <dt className="inline">surface</dt> <dd className="inline font-mono text-xs text-fg">{view.surface}</dd>
        </div>
        <div>
          <dt className="inline">page</dt> <dd className="inline font-mono text-xs break-all text-fg">{view.origin}</dd>
        </div>
      </dl>
    </Panel>
  );
}

function RawReport({ view }: { view: ConsoleReport }) {
  return (
    <Panel
      id="json"
      title="Raw JSON"
      aside={
        <span className="flex flex-wrap items-center gap-2">
          {view.addressesVisible ? (
            `schema ${view.report.schema_version}`
          ) : (
            <Restricted what="without addresses and places" />
          )}
        </span>
      }
    >
      <div className="p-3">
        <CodeBlock code={JSON.stringify(JSON.parse(view.reportJson), null, 2)} language="json" label="Report as JSON" />
      </div>
    </Panel>
  );
}

export default async function ReportPage({ params }: Props) {
  const { workspaceId, imprint } = await params;
  const list = `/w/${workspaceId}/reports`;
  const context = await pageContext(`${list}/${imprint}`);
  const reading = await readForPage(() => readReportForConsole(context, { workspaceId, imprint }));
  if (!reading.ok)
    return <RestrictedState title="Reports are not part of your role">{reading.restriction}.</RestrictedState>;
  const view = reading.value;
  const { report } = view;
  return (
    <>
      <PageHeader
        title={titleOf(view)}
        above={
          <nav aria-label="Breadcrumb">
            <Link href={list} className="hover:text-fg">
              Reports
            </Link>{" "}
            /{" "}
            <span className="font-mono text-xs" title={imprint}>
              {shortId(imprint)}
            </span>
          </nav>
        }
        actions={
          <>
            <CopyButton value={imprint} label="Copy the imprint">
              Copy id
            </CopyButton>
            <CopyButton value={curlCommand(baseUrl(), imprint)} label="Copy the request as a curl command">
              Copy as curl
            </CopyButton>
            <CopyButton value={view.reportJson} label="Copy the Report as JSON">
              Copy JSON
            </CopyButton>
          </>
        }
      />
      <Verdict view={view} />
      <div className="grid gap-4 nav:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)]">
        <Findings findings={view.findings} />
        <div className="flex min-w-0 flex-col gap-4">
          <DeviceFacts
            device={report.device}
            recognisedBy={view.recognisedBy}
            href={`/w/${workspaceId}/devices/${report.device.id}`}
          />
          <NetworkFacts network={report.network} addressesVisible={view.addressesVisible} />
          <ClientFacts browser={report.browser} system={report.operating_system} />
        </div>
      </div>
      <div className="mt-4 flex flex-col gap-4">
        <ActivityFacts activity={report.activity} />
        {report.account_map ? <AccountMapFacts map={report.account_map} /> : null}
        <DeviceTimeline workspaceId={workspaceId} visits={view.deviceVisits} until={context.now} />
        <RawReport view={view} />
      </div>
      <p className="mt-4 text-xs text-fg-muted">
        IP geolocation by{" "}
        <a className="link" href="https://db-ip.com" rel="noreferrer">
          DB-IP
        </a>
        . A Report explains; it recommends no action.
      </p>
    </>
  );
}
