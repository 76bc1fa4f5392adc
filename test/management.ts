import type { Database } from "@/db/client";
import { insertTestDevice } from "./devices";
import { createSite, type Site } from "./visits";

export const MANAGE = "/api/v1/manage";

/** Creates a site with a device that can be labelled. */
export async function createManagedSite(db: Database) {
  const site = await createSite(db);
  return { ...site, deviceId: await insertTestDevice(db, site.workspaceId) };
}

/** A device id that does not exist. */
const NO_DEVICE = `dev_${"0".repeat(32)}`;

/** One typical request per operation with a management key; labelling needs a device. */
export const managing = ({
  webAppId,
  keyId,
  deviceId = NO_DEVICE,
}: Site & { deviceId?: string }): [method: string, path: string, body?: unknown][] => [
  ["GET", `${MANAGE}/web-apps`],
  ["POST", `${MANAGE}/web-apps`, { name: "Shop" }],
  ["PUT", `${MANAGE}/web-apps/${webAppId}`, { name: "Shop", state: "active" }],
  ["PUT", `${MANAGE}/web-apps/${webAppId}/origins`, { origin: "https://preview.shop.example", expires_in_seconds: 60 }],
  ["DELETE", `${MANAGE}/web-apps/${webAppId}/origins?origin=https%3A%2F%2Fpreview.shop.example`],
  ["GET", `${MANAGE}/keys`],
  ["POST", `${MANAGE}/keys`, { name: "server" }],
  ["POST", `${MANAGE}/keys/${keyId}/rotate`, { overlap: "1h" }],
  ["DELETE", `${MANAGE}/keys/${keyId}`],
  ["POST", "/api/v1/labels", { device_id: deviceId, label: "fraud" }],
];
