import { redirect } from "next/navigation";

import { openPage, pageMetadata } from "@/app/_server/console-page";
import { unlessInvalid } from "@/app/_server/unless-restricted";
import { pageHref } from "@/components/shell/pages";
import { pageZone } from "@/app/_server/zone";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { DeviceTable } from "@/components/report/device-table";
import { SearchBox } from "@/components/report/search-box";
import { ButtonLink } from "@/components/ui/button";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import { listDevices } from "@/lib/visits/devices";

export const metadata = pageMetadata("devices");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<{ before?: string }> };

export default async function DevicesPage({ params, searchParams }: Props) {
  const [{ workspaceId }, { before }] = [await params, await searchParams];
  const [path, zone] = [pageHref("devices", { workspaceId }), await pageZone()];
  const page = await openPage("devices", { workspaceId }, (context) =>
    unlessInvalid(listDevices(context, { workspaceId, before })),
  );
  if (!page.ok) return page.restricted;
  if (page.value === undefined) redirect(path);
  const { devices, older } = page.value;
  return (
    <>
      <PageHeader title="Devices" actions={<SearchBox workspaceId={workspaceId} />} />
      <Panel id="devices" title="Latest seen first" aside={<ZoneSwitch zone={zone} />}>
        {devices.length === 0 ? (
          <EmptyState
            title="No device has been seen yet"
            action={
              <ButtonLink variant="primary" href={pageHref("overview", { workspaceId })}>
                Put the component on a page
              </ButtonLink>
            }
          >
            The first visit of a browser makes its device.
          </EmptyState>
        ) : (
          <DeviceTable workspaceId={workspaceId} devices={devices} now={page.context.now} zone={zone} label="Devices" />
        )}
        <PageLinks
          newest={before === undefined ? undefined : path}
          older={older === null ? undefined : `${path}?before=${encodeURIComponent(older)}`}
        />
      </Panel>
    </>
  );
}
