"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import {
  createEndpoint,
  deleteEndpoint,
  pauseEndpoint,
  resendDelivery,
  resumeEndpoint,
  rotateSecret,
  SECRET_OVERLAP_SECONDS,
  type SecretOverlap,
  sendTestEvent,
  updateEndpoint,
} from "@/lib/tenancy/webhooks";

const workspaceId = z.string();
const texts = z.array(z.string()).max(200);
const endpoint = z.strictObject({
  workspaceId,
  name: z.string(),
  url: z.string(),
  eventTypes: texts,
  webAppIds: texts,
  statuses: texts,
});
const ofEndpoint = z.strictObject({ workspaceId, endpointId: z.string() });
const overlaps = Object.keys(SECRET_OVERLAP_SECONDS) as [SecretOverlap, ...SecretOverlap[]]; // safe: the list is closed

export const createWebhookAction = defineAction(endpoint, async (context, input) => {
  const { secret } = await createEndpoint(context, input);
  return { secret };
});
export const updateWebhookAction = defineAction(endpoint.extend({ endpointId: z.string() }), updateEndpoint);
export const rotateWebhookSecretAction = defineAction(
  ofEndpoint.extend({ overlap: z.enum(overlaps) }),
  async (context, input) => {
    const { secret } = await rotateSecret(context, input);
    return { secret };
  },
);
export const pauseWebhookAction = defineAction(ofEndpoint, pauseEndpoint);
export const resumeWebhookAction = defineAction(ofEndpoint, resumeEndpoint);
export const testWebhookAction = defineAction(ofEndpoint, sendTestEvent);
export const deleteWebhookAction = defineAction(ofEndpoint, deleteEndpoint);
export const resendWebhookAction = defineAction(
  z.strictObject({ workspaceId, deliveryId: z.string() }),
  resendDelivery,
);
