import { defineSessionRoute, streamedFile } from "@/app/_server/session-route";
import { type DeviceExport, exportDevice } from "@/lib/visits/devices";

async function* asJson({ device, visits }: DeviceExport) {
  yield `{"device":${JSON.stringify(device)},"visits":[`;
  let separator = "";
  for await (const page of visits) {
    for (const visit of page) {
      yield `${separator}\n${JSON.stringify(visit)}`;
      separator = ",";
    }
  }
  yield "\n]}\n";
}

/** All data of a device, as one JSON document. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }, query) => {
  const deviceId = query.get("device")?.trim() ?? "";
  const stored = await exportDevice(context, { workspaceId, deviceId });
  return streamedFile(context, `${deviceId}.json`, "application/json", asJson(stored));
});
