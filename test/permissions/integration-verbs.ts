import {
  countRecentCalls,
  createKey,
  endOverlap,
  extendOverlap,
  listFailingKeys,
  listKeys,
  nameKeys,
  readKeyUses,
  requireKey,
  revokeKey,
  revokeUnusedKeys,
  rotateKey,
} from "@/lib/tenancy/api-keys";
import { createManagementKey, listManagementKeys, revokeManagementKey } from "@/lib/tenancy/management";
import {
  createEndpoint,
  deleteEndpoint,
  listDeliveries,
  listEndpoints,
  pauseEndpoint,
  readDelivery,
  readEndpoint,
  resendDelivery,
  resumeEndpoint,
  rotateSecret,
  sendTestEvent,
  updateEndpoint,
} from "@/lib/tenancy/webhooks";
import { BUILDERS, ISSUERS, MANAGERS, NOBODY } from "@/test/roles";
import type { PermittedVerbs } from "./fixture";

const ENDPOINT = { name: "New", url: "https://a.example/events", eventTypes: ["visit.recorded"] };

/** Verbs on API keys, and the roles that may use them. */
export const KEY_VERBS: PermittedVerbs = [
  ["listKeys", BUILDERS, listKeys],
  ["requireKey", BUILDERS, requireKey],
  ["nameKeys", BUILDERS, (context, { workspaceId, keyId }) => nameKeys(context, { workspaceId, keyIds: [keyId] })],
  ["readKeyUses", BUILDERS, readKeyUses],
  ["countRecentCalls", BUILDERS, countRecentCalls],
  ["listFailingKeys", BUILDERS, listFailingKeys],
  ["createKey", ISSUERS, (context, fixture) => createKey(context, { ...fixture, name: "new" })],
  ["rotateKey", ISSUERS, rotateKey],
  ["endOverlap", BUILDERS, (context, fixture) => endOverlap(context, { ...fixture, keyId: fixture.replacedKeyId })],
  [
    "extendOverlap",
    ISSUERS,
    (context, fixture) => extendOverlap(context, { ...fixture, keyId: fixture.replacedKeyId, overlap: "7d" }),
  ],
  ["revokeKey", BUILDERS, revokeKey],
  [
    "revokeUnusedKeys",
    BUILDERS,
    (context, { workspaceId, keyId }) => revokeUnusedKeys(context, { workspaceId, keyIds: [keyId] }),
  ],
];

/** Verbs on webhooks and management keys, and the roles that may use them. */
export const INTEGRATION_VERBS: PermittedVerbs = [
  ["listEndpoints", BUILDERS, listEndpoints],
  ["readEndpoint", BUILDERS, readEndpoint],
  ["createEndpoint", BUILDERS, (context, fixture) => createEndpoint(context, { ...fixture, ...ENDPOINT })],
  [
    "createEndpoint for trials of the instance",
    NOBODY,
    (context, fixture) => createEndpoint(context, { ...fixture, ...ENDPOINT, eventTypes: ["trial.activated"] }),
  ],
  ["updateEndpoint", BUILDERS, (context, fixture) => updateEndpoint(context, { ...fixture, name: "New" })],
  ["pauseEndpoint", BUILDERS, pauseEndpoint],
  ["resumeEndpoint", BUILDERS, resumeEndpoint],
  ["rotateSecret", BUILDERS, rotateSecret],
  ["sendTestEvent", BUILDERS, sendTestEvent],
  ["listDeliveries", BUILDERS, listDeliveries],
  ["readDelivery", BUILDERS, readDelivery],
  ["resendDelivery", BUILDERS, resendDelivery],
  ["deleteEndpoint", BUILDERS, deleteEndpoint],
  ["listManagementKeys", BUILDERS, listManagementKeys],
  [
    "createManagementKey",
    MANAGERS,
    (context, fixture) => createManagementKey(context, { ...fixture, name: "CI", scopes: ["origins"] }),
  ],
  [
    "revokeManagementKey",
    MANAGERS,
    (context, fixture) => revokeManagementKey(context, { ...fixture, keyId: fixture.managementKeyId }),
  ],
];
