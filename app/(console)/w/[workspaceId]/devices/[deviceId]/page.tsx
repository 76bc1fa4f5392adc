import { addToCaseAction, openCaseAction } from "@/app/(console)/actions/cases";
import { deleteDeviceAction } from "@/app/(console)/actions/devices";
import { setLabelAction } from "@/app/(console)/actions/labels";
import { openPage, titledById } from "@/app/_server/console-page";
import { unlessRestricted } from "@/app/_server/unless-restricted";
import { pageZone } from "@/app/_server/zone";
import { AddToCase } from "@/components/case/add-to-case";
import { evidenceHref, EvidenceLinks } from "@/components/case/evidence-links";
import { DeviceTimeline } from "@/components/report/device-timeline";
import { LabelPanel } from "@/components/report/label-panel";
import { narrowedHref } from "@/components/report/report-query";
import { StatusChart } from "@/components/report/status-chart";
import { lastSteps } from "@/components/report/time-steps";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { Button, ButtonLink } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/panel";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import type { Context } from "@/lib/platform/context";
import { listDeviceAccounts } from "@/lib/visits/account-map";
import { listDeviceAddresses, readDevice } from "@/lib/visits/devices";
import { readLabels } from "@/lib/visits/labels";
import { countReports, readDeviceVisits } from "@/lib/visits/reports";
import { DeviceAccounts, DeviceAddresses } from "./_components/device-panels";
import { DeviceLinks, DeviceSummary } from "./_components/device-profile";

type Props = { params: Promise<{ workspaceId: string; deviceId: string }> };

const WEEKS = 13;

export const generateMetadata = titledById("device", "deviceId");

async function readProfile(context: Context, workspaceId: string, deviceId: string, zone: string) {
  const key = { workspaceId, deviceId };
  const device = await readDevice(context, key);
  const [counts, visits, accounts, addresses, labels] = await Promise.all([
    countReports(context, { ...key, ...lastSteps(WEEKS, "week", context.now, zone) }),
    readDeviceVisits(context, key),
    unlessRestricted(listDeviceAccounts(context, key)),
    unlessRestricted(listDeviceAddresses(context, key)),
    readLabels(context, key),
  ]);
  return { device, counts, visits, accounts, addresses, labels };
}

function Actions({ workspaceId, deviceId, mayDelete }: { workspaceId: string; deviceId: string; mayDelete: boolean }) {
  const reports = `/w/${workspaceId}/reports`;
  return (
    <>
      <CopyButton value={deviceId} label="Copy the device id">
        Copy id
      </CopyButton>
      <ButtonLink href={narrowedHref(reports, { device: deviceId })}>Its Reports</ButtonLink>
      <AddToCase
        workspaceId={workspaceId}
        items={[deviceId]}
        what="this device"
        open={openCaseAction}
        add={addToCaseAction}
      />
      <EvidenceLinks href={evidenceHref(workspaceId, deviceId)} />
      {mayDelete ? (
        <Confirm
          trigger={<Button variant="danger">Delete</Button>}
          title="Delete this device?"
          confirmLabel="Delete for good"
          action={deleteDeviceAction}
          input={{ workspaceId, deviceId }}
          done="Deleted"
          next={reports}
        >
          Its visits and Reports, addresses, accounts, tokens and keys are deleted for good. The same browser is a new
          device on its next visit. Report units that were used stay used.
        </Confirm>
      ) : null}
    </>
  );
}

export default async function DevicePage({ params }: Props) {
  const { workspaceId, deviceId } = await params;
  const zone = await pageZone();
  const page = await openPage("device", { workspaceId, deviceId }, (context) =>
    readProfile(context, workspaceId, deviceId, zone),
  );
  if (!page.ok) return page.restricted;
  const { device, counts, visits, accounts, addresses, labels } = page.value;
  const { now } = page.context;
  return (
    <>
      <PageHeader
        title="Device"
        above={<Breadcrumb workspaceId={workspaceId} list="devices" id={deviceId} />}
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <Actions workspaceId={workspaceId} deviceId={deviceId} mayDelete={device.mayDelete} />
          </>
        }
      />
      <StatusChart steps={counts.steps} step="week" span="last 13 weeks" zone={zone} />
      <DeviceTimeline workspaceId={workspaceId} deviceId={deviceId} visits={visits} until={now} zone={zone} />
      <div className="mt-4 grid items-start gap-4 nav:grid-cols-[minmax(0,1fr)_minmax(0,1.35fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <DeviceSummary device={device} zone={zone} />
          <LabelPanel {...{ workspaceId, labels, now, zone }} subjects={{ deviceId }} action={setLabelAction} />
          <DeviceLinks workspaceId={workspaceId} zone={zone} links={device.links} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <DeviceAccounts workspaceId={workspaceId} now={now} zone={zone} accounts={accounts} />
          <DeviceAddresses workspaceId={workspaceId} now={now} zone={zone} addresses={addresses} />
        </div>
      </div>
    </>
  );
}
