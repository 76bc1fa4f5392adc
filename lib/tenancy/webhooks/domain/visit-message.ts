import type { WebhookData } from "@/lib/contract/webhooks";

type VisitData = Omit<WebhookData<"visit.recorded">, "device_id">;

/** The text of a visit's message around what the database alone knows: the time, and then the device. */
export const visitMessageParts = {
  head: '{"type":"visit.recorded","timestamp":"',
  device: '","data":{"device_id":"dev_',
} as const;

/** The rest of the message, behind the device's 32 digits. */
export const visitMessageEnd = (data: VisitData): string => `",${JSON.stringify(data).slice(1)}}`;
