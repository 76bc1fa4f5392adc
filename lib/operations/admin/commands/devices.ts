import { deleteDevice, exportDevice, type StoredVisit } from "@/lib/visits/devices";
import { type Command, workspaceOption } from "../command";

const deviceOption = { value: "ID", description: "Device id, dev_…", isRequired: true } as const;

export const deviceCommands: readonly Command[] = [
  {
    name: "device export",
    summary: "Print everything stored about a device",
    options: { workspace: workspaceOption, device: deviceOption },
    async run(context, given) {
      const { device, visits } = await exportDevice(context, {
        workspaceId: given.text("workspace"),
        deviceId: given.text("device"),
      });
      const stored: StoredVisit[] = [];
      for await (const page of visits) stored.push(...page);
      return { ...device, stored_visits: stored };
    },
  },
  {
    name: "device delete",
    summary: "Permanently delete a device with its visits, addresses, tokens and keys",
    options: { workspace: workspaceOption, device: deviceOption },
    async run(context, given) {
      const { deviceId, visits } = await deleteDevice(context, {
        workspaceId: given.text("workspace"),
        deviceId: given.text("device"),
      });
      return { device_id: deviceId, deleted_visits: visits };
    },
  },
];
