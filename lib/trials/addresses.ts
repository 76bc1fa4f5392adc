import { baseUrl } from "@/lib/platform/env";

export const statusUrl = (intentId: string): string => `${baseUrl()}/api/v1/agent/trial-intents/${intentId}`;
export const activateUrl = (intentId: string): string => `${statusUrl(intentId)}/activate`;
export const docsUrl = (): string => `${baseUrl()}/docs/agent-trial`;
export const purchaseUrl = (): string => `${baseUrl()}/api/v1/agent/trial`;
