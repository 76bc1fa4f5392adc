import type { Context } from "@/lib/platform/context";
import { deleteDevice, exportDevice, readDevice } from "@/lib/visits/devices";
import { type Command, workspaceOption } from "../command";
import { EXPORT_INTERRUPTED, followPages, followVisits } from "../follow-visits";

const deviceOption = { value: "ID", description: "Device id, dev_…", isRequired: true } as const;

/** Number of visits of a device; 0 if there is none. */
const countVisits = (context: Context, device: { workspaceId: string; deviceId: string }): Promise<number> =>
  readDevice(context, device).then(
    ({ visits }) => visits,
    () => 0,
  );

export const deviceCommands: readonly Command[] = [
  {
    name: "device export",
    summary: "Print everything stored about a device",
    options: { workspace: workspaceOption, device: deviceOption },
    interruptionNotice: EXPORT_INTERRUPTED,
    async run(context, given, { progressWithResult }) {
      const { device, visits } = await exportDevice(context, {
        workspaceId: given.text("workspace"),
        deviceId: given.text("device"),
      });
      const progress = followVisits(progressWithResult, "device export", Number(device["visits"]));
      return { ...device, stored_visits: followPages(visits, progress) };
    },
  },
  {
    name: "device delete",
    summary: "Permanently delete a device with its visits, addresses, tokens and keys",
    options: { workspace: workspaceOption, device: deviceOption },
    interruptionNotice: "Some of the device's visits may be deleted. Run the command again to delete the rest.",
    async run(context, given, { stderr }) {
      const device = { workspaceId: given.text("workspace"), deviceId: given.text("device") };
      const progress = followVisits(stderr, "device delete", await countVisits(context, device));
      const { deviceId, visits } = await deleteDevice(context, device, progress.at).finally(progress.end);
      return { device_id: deviceId, deleted_visits: visits };
    },
  },
];
