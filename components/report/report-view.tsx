import { compareHref, pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { JsonBlock } from "@/components/ui/json-block";
import { Panel } from "@/components/ui/panel";
import { Restricted } from "@/components/ui/states";
import type { Report } from "@/lib/contract/report";
import { AccountMapFacts, type VisitAccountView } from "./account-map-facts";
import { DeviceTimeline } from "./device-timeline";
import { Findings } from "./findings";
import type { FindingView } from "./group-findings";
import { LabelPanel, type LabelsView } from "./label-panel";
import type { SetLabelAction } from "./label-switch";
import { Observed } from "./observed";
import { ActivityFacts, ClientFacts, DeviceFacts, NetworkFacts } from "./report-facts";
import { curlCommand } from "./snippets";
import { VerdictPanel } from "./verdict-panel";

type ReportViewData = {
  report: Report;
  reportJson: string;
  addressesVisible: boolean;
  webApp: { name: string };
  surface: string;
  origin: string;
  rulesVersion: string;
  recognisedBy: string;
  agent?: string | undefined;
  findings: readonly FindingView[];
  observed: readonly FindingView[];
  labels: LabelsView;
  account: VisitAccountView;
  deviceVisits: readonly { imprint: string; recordedAt: Date; status: Report["risk"]["status"] }[];
};

type Props = { workspaceId: string; view: ReportViewData; now: Date; zone: string; setLabel: SetLabelAction };

/** The device's previous visit among those known. */
function previousOf({ report, deviceVisits }: ReportViewData): string | undefined {
  const at = deviceVisits.findIndex(({ imprint }) => imprint === report.imprint);
  return at < 1 ? undefined : deviceVisits[at - 1]?.imprint;
}

/** Buttons that copy a Report, and the link to the comparison with the device's previous visit. */
export function ReportCopies({
  workspaceId,
  view,
  baseUrl,
}: Pick<Props, "workspaceId" | "view"> & { baseUrl: string }) {
  const { imprint } = view.report;
  const previous = previousOf(view);
  return (
    <>
      {previous === undefined ? null : (
        <ButtonLink href={compareHref(workspaceId, previous, imprint)}>Compare with the previous visit</ButtonLink>
      )}
      <CopyButton value={imprint} label="Copy the imprint">
        Copy id
      </CopyButton>
      <CopyButton value={curlCommand(baseUrl, imprint)} label="Copy the request as a curl command">
        Copy as curl
      </CopyButton>
      <CopyButton value={view.reportJson} label="Copy the Report as JSON">
        Copy JSON
      </CopyButton>
    </>
  );
}

function RawReport({ view }: { view: ReportViewData }) {
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
        <JsonBlock value={JSON.parse(view.reportJson) as unknown} label="Report as JSON" />
      </div>
    </Panel>
  );
}

function Labels({ workspaceId, view, now, zone, setLabel }: Props) {
  const { report, account, labels } = view;
  const subjects = {
    imprint: report.imprint,
    deviceId: report.device.id,
    ...(typeof account === "object" && { accountId: account.accountId }),
  };
  return (
    <LabelPanel workspaceId={workspaceId} labels={labels} subjects={subjects} now={now} zone={zone} action={setLabel} />
  );
}

function Subjects({ workspaceId, view, zone }: Props) {
  const { report } = view;
  return (
    <>
      <DeviceFacts
        device={report.device}
        recognisedBy={view.recognisedBy}
        href={pageHref("device", { workspaceId, deviceId: report.device.id })}
        zone={zone}
      />
      <ClientFacts browser={report.browser} system={report.operating_system} agent={view.agent} />
      <NetworkFacts workspaceId={workspaceId} network={report.network} addressesVisible={view.addressesVisible} />
    </>
  );
}

/** One Report as a page. */
export function ReportView(props: Props) {
  const { workspaceId, view, now, zone } = props;
  return (
    <>
      <VerdictPanel view={view} zone={zone} />
      <div className="mt-4 grid items-start gap-4 nav:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Findings workspaceId={workspaceId} findings={view.findings} />
          <Observed workspaceId={workspaceId} observed={view.observed} />
          <Labels {...props} />
          <ActivityFacts activity={view.report.activity} />
          <AccountMapFacts workspaceId={workspaceId} account={view.account} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Subjects {...props} />
        </div>
      </div>
      <div className="mt-4 flex flex-col gap-4">
        <DeviceTimeline
          workspaceId={workspaceId}
          deviceId={view.report.device.id}
          visits={view.deviceVisits}
          until={now}
          zone={zone}
        />
        <RawReport view={view} />
      </div>
      <p className="mt-4 text-xs text-fg-muted">
        IP geolocation by{" "}
        <a className="link" href="https://db-ip.com" rel="noreferrer">
          DB-IP
        </a>
        . Map by Natural Earth. A Report explains; it recommends no action.
      </p>
    </>
  );
}

/** One Report in the side panel. */
export function ReportGlance(props: Props) {
  const { workspaceId, view, zone } = props;
  return (
    <div className="flex flex-col gap-4">
      <VerdictPanel view={view} zone={zone} isNarrow />
      <Findings workspaceId={workspaceId} findings={view.findings} />
      <Observed workspaceId={workspaceId} observed={view.observed} />
      <Labels {...props} />
      <Subjects {...props} />
      <ActivityFacts activity={view.report.activity} />
      <AccountMapFacts workspaceId={workspaceId} account={view.account} />
    </div>
  );
}
