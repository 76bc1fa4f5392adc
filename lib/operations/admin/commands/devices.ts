import { createProgress, type Output } from "@/lib/operations/backup";
import type { Context } from "@/lib/platform/context";
import { deleteDevice, exportDevice, readDevice, type StoredVisit } from "@/lib/visits/devices";
import { type Command, workspaceOption } from "../command";

const deviceOption = { value: "ID", description: "Device id, dev_…", isRequired: true } as const;

const VISITS_OF_LINE = 1_000;

/** Tells how many of a device's visits are done. */
function followVisits(stderr: Output, title: string, total: number) {
  const progress = createProgress(stderr, title);
  let told = 0;
  const at = (visits: number) => {
    const text = `${visits} visits`;
    progress.at(visits / Math.max(1, total), text);
    if (visits - told < VISITS_OF_LINE) return;
    told = visits;
    progress.done(text);
  };
  return { at, end: progress.end };
}

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
    async run(context, given, { stderr }) {
      const { device, visits } = await exportDevice(context, {
        workspaceId: given.text("workspace"),
        deviceId: given.text("device"),
      });
      const progress = followVisits(stderr, "device export", Number(device["visits"]));
      const stored: StoredVisit[] = [];
      try {
        for await (const page of visits) {
          stored.push(...page);
          progress.at(stored.length);
        }
      } finally {
        progress.end();
      }
      return { ...device, stored_visits: stored };
    },
  },
  {
    name: "device delete",
    summary: "Permanently delete a device with its visits, addresses, tokens and keys",
    options: { workspace: workspaceOption, device: deviceOption },
    interrupted: "Some of the device's visits may be deleted. Run the command again to delete the rest.",
    async run(context, given, { stderr }) {
      const device = { workspaceId: given.text("workspace"), deviceId: given.text("device") };
      const progress = followVisits(stderr, "device delete", await countVisits(context, device));
      const { deviceId, visits } = await deleteDevice(context, device, progress.at).finally(progress.end);
      return { device_id: deviceId, deleted_visits: visits };
    },
  },
];
