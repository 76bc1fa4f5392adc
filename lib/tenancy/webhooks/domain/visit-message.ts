import type { WebhookData } from "@/lib/contract/webhooks";

type VisitData = Omit<WebhookData<"visit.recorded">, "device_id">;

/** Fixed parts of a visit's message. The database inserts the values only it knows: the time, and then the device. */
export const visitMessageParts = {
  head: '{"type":"visit.recorded","timestamp":"',
  device: '","data":{"device_id":"dev_',
} as const;

/** The rest of the message, after the 32 digits of the device id. */
export const visitMessageEnd = (data: VisitData): string => `",${JSON.stringify(data).slice(1)}}`;
