import { defineFileRoute } from "@/app/_server/file-route";
import { requireId } from "@/lib/tenancy/workspaces";
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
export const GET = defineFileRoute("device.export", (context, { workspaceId }, query) => {
  const deviceId = requireId("device", query.get("device")?.trim() ?? "", "There is no such device");
  return {
    name: `${deviceId}.json`,
    type: "application/json",
    open: async () => asJson(await exportDevice(context, { workspaceId, deviceId })),
  };
});
