import { setLabelAction } from "@/app/(console)/actions/labels";
import { openPage, titledById } from "@/app/_server/console-page";
import { unlessRestricted } from "@/app/_server/unless-restricted";
import { pageZone } from "@/app/_server/zone";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { DeviceTable } from "@/components/report/device-table";
import { LabelPanel } from "@/components/report/label-panel";
import { narrowedHref } from "@/components/report/report-query";
import { StatusChart } from "@/components/report/status-chart";
import { lastSteps } from "@/components/report/time-steps";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Figure } from "@/components/ui/figure";
import { PageHeader, Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import { readAccount } from "@/lib/visits/account-map";
import type { Context } from "@/lib/platform/context";
import { readDevices } from "@/lib/visits/devices";
import { readLabels } from "@/lib/visits/labels";
import { countReports } from "@/lib/visits/reports";

type Props = { params: Promise<{ workspaceId: string; accountId: string }> };

const WEEKS = 13;
const grouped = new Intl.NumberFormat("en-US");

export const generateMetadata = titledById("account", "accountId");

async function readPage(context: Context, workspaceId: string, accountId: string, zone: string) {
  const account = await unlessRestricted(readAccount(context, { workspaceId, accountId }));
  if (!account) return undefined;
  const [counts, devices, labels] = await Promise.all([
    countReports(context, { workspaceId, accountId, ...lastSteps(WEEKS, "week", context.now, zone) }),
    readDevices(context, { workspaceId, deviceIds: account.newestDevices.map(({ deviceId }) => deviceId) }),
    readLabels(context, { workspaceId, accountId }),
  ]);
  return { account, counts, devices, labels };
}

export default async function AccountPage({ params }: Props) {
  const { workspaceId, accountId } = await params;
  const zone = await pageZone();
  const page = await openPage("account", { workspaceId, accountId }, (context) =>
    readPage(context, workspaceId, accountId, zone),
  );
  if (!page.ok) return page.restricted;
  const above = <Breadcrumb workspaceId={workspaceId} list="devices" id={accountId} />;
  if (!page.value)
    return (
      <>
        <PageHeader title="Account" above={above} />
        <RestrictedState title="Accounts are not part of this plan or role">
          Account Map comes with Pro and Enterprise: which devices an account uses, and which accounts share a device.
        </RestrictedState>
      </>
    );
  const { account, counts, devices, labels } = page.value;
  const { now } = page.context;
  const first = new Map(account.newestDevices.map(({ deviceId, firstSeenAt }) => [deviceId, firstSeenAt]));
  return (
    <>
      <PageHeader
        title="Account"
        above={above}
        lead="Known by a hash of the reference that your server sends; the reference itself is stored nowhere."
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <CopyButton value={accountId} label="Copy the account id">
              Copy id
            </CopyButton>
            <ButtonLink href={narrowedHref(`/w/${workspaceId}/reports`, { account: accountId })}>
              Its Reports
            </ButtonLink>
          </>
        }
      />
      <StatusChart steps={counts.steps} step="week" span="last 13 weeks" zone={zone} />
      <Panel className="mb-4">
        <div className="grid sm:grid-cols-2 nav:grid-cols-4">
          <Figure name="Devices" value={grouped.format(account.devices)} />
          <Figure
            name="Visits"
            value={`${account.visits >= account.visitsBound ? "≥ " : ""}${grouped.format(account.visits)}`}
          />
          <Figure name="First seen" value={<RelativeTime at={account.firstSeenAt} now={now} zone={zone} />}>
            <AbsoluteTime at={account.firstSeenAt} zone={zone} />
          </Figure>
          <Figure name="Last seen" value={<RelativeTime at={account.lastSeenAt} now={now} zone={zone} />}>
            <AbsoluteTime at={account.lastSeenAt} zone={zone} />
          </Figure>
        </div>
      </Panel>
      <div className="mb-4">
        <LabelPanel {...{ workspaceId, labels, now, zone }} subjects={{ accountId }} action={setLabelAction} />
      </div>
      <Panel
        id="devices"
        title="Devices"
        aside={devices.length < account.devices ? `the ${devices.length} newest` : "latest seen first"}
      >
        <DeviceTable
          workspaceId={workspaceId}
          devices={devices}
          now={now}
          zone={zone}
          label="Devices of this account"
          extra={{
            title: "First together",
            of: (deviceId) => {
              const at = first.get(deviceId);
              return at ? <RelativeTime at={at} now={now} zone={zone} /> : "–";
            },
          }}
        />
      </Panel>
    </>
  );
}
