import { redirect } from "next/navigation";

import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { deleteDeviceAction } from "@/app/(console)/actions/devices";
import { setLabelAction } from "@/app/(console)/actions/labels";
import { openPage, titledById } from "@/app/_server/console-page";
import { unlessInvalid, unlessRestricted } from "@/app/_server/unless-restricted";
import { pageZone } from "@/app/_server/zone";
import { SubjectActions } from "@/app/(console)/_components/subject-actions";
import { readSubject } from "@/app/_server/read-subject";
import { DeviceTimeline } from "@/components/report/device-timeline";
import { LabelPanel } from "@/components/report/label-panel";
import { SubjectFigures } from "@/components/report/subject-figures";
import { pagesOf, parseSubjectQuery, type SubjectQuery } from "@/components/report/subject-query";
import { VisitList } from "@/components/report/visit-list";
import { StatusChart } from "@/components/report/status-chart";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { pageHref } from "@/components/shell/pages";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import type { RawQuery } from "@/components/ui/filter-texts";
import { PageHeader } from "@/components/ui/panel";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import type { Context } from "@/lib/platform/context";
import { listDeviceAccounts } from "@/lib/visits/account-map";
import { listDeviceAddresses, readDevice } from "@/lib/visits/devices";
import { readLabels } from "@/lib/visits/labels";
import { readDeviceVisits } from "@/lib/visits/reports";
import { DeviceAccounts, DeviceAddresses } from "./_components/device-panels";
import { DeviceLinks, DeviceSummary } from "./_components/device-profile";

type Props = {
  params: Promise<{ workspaceId: string; deviceId: string }>;
  searchParams: Promise<RawQuery>;
};

export const generateMetadata = titledById("device", "deviceId");

async function readProfile(
  context: Context,
  key: { workspaceId: string; deviceId: string },
  query: SubjectQuery,
  zone: string,
) {
  const device = await readDevice(context, key);
  const [found, timeline, accounts, addresses, labels] = await Promise.all([
    readSubject(context, { ...key, kind: "device" }, query.visits, zone),
    readDeviceVisits(context, key),
    unlessRestricted(listDeviceAccounts(context, { ...key, before: query.accounts })),
    unlessRestricted(listDeviceAddresses(context, { ...key, before: query.addresses })),
    readLabels(context, key),
  ]);
  return { device, ...found, timeline, accounts, addresses, labels };
}

function Actions({ workspaceId, deviceId, mayDelete }: { workspaceId: string; deviceId: string; mayDelete: boolean }) {
  return (
    <>
      <SubjectActions workspaceId={workspaceId} kind="device" value={deviceId} />
      {mayDelete ? (
        <Confirm
          trigger={<Button variant="danger">Delete</Button>}
          title="Delete this device?"
          confirmLabel="Delete for good"
          action={deleteDeviceAction}
          input={{ workspaceId, deviceId }}
          done="Deleted"
          next={pageHref("reports", { workspaceId })}
          consequences={{ asked: { what: "device", workspaceId, deviceId }, read: readConsequencesAction }}
        >
          Its visits and Reports, addresses, accounts, tokens and keys are deleted for good. The same browser is a new
          device on its next visit. Report units that were used stay used.
        </Confirm>
      ) : null}
    </>
  );
}

export default async function DevicePage({ params, searchParams }: Props) {
  const [key, query] = [await params, parseSubjectQuery(await searchParams)];
  const { workspaceId, deviceId } = key;
  const [path, zone] = [pageHref("device", key), await pageZone()];
  const page = await openPage("device", key, (context) => unlessInvalid(readProfile(context, key, query, zone)));
  if (!page.ok) return page.restricted;
  if (page.value === undefined) redirect(path);
  const { device, summary, counts, timeline, visits, accounts, addresses, labels } = page.value;
  const { now } = page.context;
  const common = { workspaceId, now, zone };
  const pages = (list: keyof SubjectQuery, older: string | null | undefined) => pagesOf(path, query, list, older);
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
      <SubjectFigures
        of="device"
        summary={summary}
        visits={device.visits}
        firstSeenAt={device.firstSeenAt}
        lastSeenAt={device.lastSeenAt}
        now={now}
        zone={zone}
      />
      <StatusChart steps={counts.steps} step="week" span="last 13 weeks" zone={zone} />
      <VisitList {...common} visits={visits.items} {...pages("visits", visits.older)} />
      <DeviceTimeline workspaceId={workspaceId} deviceId={deviceId} visits={timeline} until={now} zone={zone} />
      <div className="mt-4 grid items-start gap-4 nav:grid-cols-[minmax(0,1fr)_minmax(0,1.35fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <DeviceSummary device={device} zone={zone} />
          <LabelPanel {...{ workspaceId, labels, now, zone }} subjects={{ deviceId }} action={setLabelAction} />
          <DeviceLinks workspaceId={workspaceId} zone={zone} links={device.links} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <DeviceAccounts {...common} accounts={accounts?.accounts} pages={pages("accounts", accounts?.older)} />
          <DeviceAddresses {...common} addresses={addresses?.addresses} pages={pages("addresses", addresses?.older)} />
        </div>
      </div>
    </>
  );
}
