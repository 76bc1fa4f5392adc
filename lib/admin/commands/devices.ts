import { deleteDevice } from "@/lib/devices";
import { type Command, workspaceOption } from "../command";

export const deviceCommands: readonly Command[] = [
  {
    name: "device delete",
    summary: "Delete a device with its visits, addresses, tokens and keys, for good",
    options: {
      workspace: workspaceOption,
      device: { value: "ID", description: "Device id, dev_…", isRequired: true },
    },
    async run(context, given) {
      const { deviceId, visits } = await deleteDevice(context, {
        workspaceId: given.text("workspace"),
        deviceId: given.text("device"),
      });
      return { device_id: deviceId, deleted_visits: visits };
    },
  },
];
