import { redirect } from "next/navigation";

import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageHref } from "@/components/shell/pages";
import { pageZone } from "@/app/_server/zone";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { DeviceTable } from "@/components/report/device-table";
import { SearchBox } from "@/components/report/search-box";
import { ButtonLink } from "@/components/ui/button";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { listDevices } from "@/lib/visits/devices";
import { isAppError } from "@/lib/contract/errors";

export const metadata = pageMetadata("devices");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<{ before?: string }> };

/** A page of the list; undefined if the cursor is invalid. */
async function readPage(context: Context, workspaceId: string, before: string | undefined) {
  try {
    return await listDevices(context, { workspaceId, before });
  } catch (error) {
    if (isAppError(error) && error.code === "invalid_request") return undefined;
    throw error;
  }
}

export default async function DevicesPage({ params, searchParams }: Props) {
  const [{ workspaceId }, { before }] = [await params, await searchParams];
  const [path, zone] = [pageHref("devices", { workspaceId }), await pageZone()];
  const page = await openPage("devices", { workspaceId }, (context) => readPage(context, workspaceId, before));
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
