import { redirect } from "next/navigation";

import { setLabelAction } from "@/app/(console)/actions/labels";
import { readReference } from "@/app/_server/account-reference";
import { openPage, titledById } from "@/app/_server/console-page";
import { unlessInvalid, unlessRestricted } from "@/app/_server/unless-restricted";
import { pageZone } from "@/app/_server/zone";
import { SubjectActions } from "@/app/(console)/_components/subject-actions";
import { readSubject } from "@/app/_server/read-subject";
import { DeviceTable } from "@/components/report/device-table";
import { LabelPanel } from "@/components/report/label-panel";
import { StatusChart } from "@/components/report/status-chart";
import { SubjectFigures } from "@/components/report/subject-figures";
import { pagesOf, parseSubjectQuery, type SubjectQuery } from "@/components/report/subject-query";
import { VisitList } from "@/components/report/visit-list";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { pageHref } from "@/components/shell/pages";
import type { RawQuery } from "@/components/ui/filter-texts";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { RelativeTime } from "@/components/ui/time";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import type { Context } from "@/lib/platform/context";
import { readAccount } from "@/lib/visits/account-map";
import { readDevices } from "@/lib/visits/devices";
import { readLabels } from "@/lib/visits/labels";

type Props = {
  params: Promise<{ workspaceId: string; accountId: string }>;
  searchParams: Promise<RawQuery>;
};

export const generateMetadata = titledById("account", "accountId");

/** The account as shown on the page; `restricted` if plan or role do not include it. */
async function readPage(
  context: Context,
  key: { workspaceId: string; accountId: string },
  query: SubjectQuery,
  zone: string,
) {
  const { workspaceId } = key;
  const account = await unlessRestricted(readAccount(context, { ...key, before: query.devices }));
  if (!account) return "restricted";
  const [found, devices, labels] = await Promise.all([
    readSubject(context, { ...key, kind: "account" }, query.visits, zone),
    readDevices(context, { workspaceId, deviceIds: account.newestDevices.map(({ deviceId }) => deviceId) }),
    readLabels(context, key),
  ]);
  return { account, ...found, devices, labels };
}

const LEAD = "Known by a hash of the reference that your server sends; the reference itself is stored nowhere.";

export default async function AccountPage({ params, searchParams }: Props) {
  const [key, query] = [await params, parseSubjectQuery(await searchParams)];
  const { workspaceId, accountId } = key;
  const [path, zone, reference] = [pageHref("account", key), await pageZone(), await readReference(accountId)];
  const page = await openPage("account", key, (context) => unlessInvalid(readPage(context, key, query, zone)));
  if (!page.ok) return page.restricted;
  if (page.value === undefined) redirect(path);
  const above = <Breadcrumb workspaceId={workspaceId} list="devices" id={accountId} />;
  if (page.value === "restricted")
    return (
      <>
        <PageHeader title="Account" above={above} />
        <Panel>
          <RestrictedState title="Accounts are not part of this plan or role">
            Account Map comes with Pro and Enterprise: which devices an account uses, and which accounts share a device.
          </RestrictedState>
        </Panel>
      </>
    );
  const { account, summary, counts, visits, devices, labels } = page.value;
  const { now } = page.context;
  const common = { workspaceId, now, zone };
  const first = new Map(account.newestDevices.map(({ deviceId, firstSeenAt }) => [deviceId, firstSeenAt]));
  return (
    <>
      <PageHeader
        title={
          reference === undefined ? (
            "Account"
          ) : (
            <>
              Account <span className="font-mono break-all">{reference}</span>
            </>
          )
        }
        above={above}
        lead={
          reference === undefined ? LEAD : `${LEAD} You searched for it: your own browser remembers it for 8 hours.`
        }
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <SubjectActions workspaceId={workspaceId} kind="account" value={accountId} />
          </>
        }
      />
      <SubjectFigures
        of="account"
        summary={summary}
        firstSeenAt={account.firstSeenAt}
        lastSeenAt={account.lastSeenAt}
        now={now}
        zone={zone}
      />
      <StatusChart steps={counts.steps} step="week" span="last 13 weeks" zone={zone} />
      <VisitList {...common} visits={visits.items} {...pagesOf(path, query, "visits", visits.older)} />
      <div className="mb-4">
        <LabelPanel {...common} labels={labels} subjects={{ accountId }} action={setLabelAction} />
      </div>
      <Panel id="devices" title={`Devices (${account.devices})`} aside="latest together first">
        <DeviceTable
          {...common}
          devices={devices}
          label="Devices of this account"
          extra={{
            title: "First together",
            of: (deviceId) => {
              const at = first.get(deviceId);
              return at ? <RelativeTime at={at} now={now} zone={zone} /> : "–";
            },
          }}
        />
        <PageLinks {...pagesOf(path, query, "devices", account.olderDevices)} />
      </Panel>
    </>
  );
}
