import type { Metadata } from "next";
import Link from "next/link";

import { deleteDeviceAction } from "@/app/(console)/actions/devices";
import { pageContext, readForPage } from "@/app/_server/page";
import { Confirm } from "@/components/console/confirm";
import { DeviceLinks, DeviceSummary } from "@/components/report/device-profile";
import { Button, ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { shortId } from "@/components/ui/id";
import { PageHeader } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { readDevice } from "@/lib/devices";

type Props = { params: Promise<{ workspaceId: string; deviceId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Device ${shortId((await params).deviceId)}` };
}

export default async function DevicePage({ params }: Props) {
  const { workspaceId, deviceId } = await params;
  const reports = `/w/${workspaceId}/reports`;
  const context = await pageContext(`/w/${workspaceId}/devices/${deviceId}`);
  const reading = await readForPage(() => readDevice(context, { workspaceId, deviceId }));
  if (!reading.ok)
    return <RestrictedState title="Devices are not part of your role">{reading.restriction}.</RestrictedState>;
  const device = reading.value;
  return (
    <>
      <PageHeader
        title="Device"
        above={
          <nav aria-label="Breadcrumb">
            <Link href={reports} className="hover:text-fg">
              Reports
            </Link>{" "}
            /{" "}
            <span className="font-mono text-xs" title={deviceId}>
              {shortId(deviceId)}
            </span>
          </nav>
        }
        actions={
          <>
            <CopyButton value={deviceId} label="Copy the device id">
              Copy id
            </CopyButton>
            <ButtonLink href={`${reports}?search=${deviceId}&span=90d`}>Its Reports</ButtonLink>
            {device.mayDelete ? (
              <Confirm
                trigger={<Button variant="danger">Delete</Button>}
                title="Delete this device?"
                confirmLabel="Delete for good"
                action={deleteDeviceAction}
                input={{ workspaceId, deviceId }}
                done="Deleted"
                next={reports}
              >
                Its visits and Reports, addresses, accounts, tokens and keys are deleted for good. The same browser is a
                new device on its next visit. Report units that were used stay used.
              </Confirm>
            ) : null}
          </>
        }
      />
      <div className="grid gap-4 nav:grid-cols-[minmax(0,1fr)_minmax(0,1.35fr)]">
        <DeviceSummary device={device} />
        <DeviceLinks workspaceId={workspaceId} links={device.links} />
      </div>
    </>
  );
}
