import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { newId, newImprint } from "@/lib/contract/ids";
import { createSite } from "@/test/visits";
import { appendDeviceVisit } from "./queries-store";

const { db } = await createTestDatabase();

const newToken = () => randomBytes(16).toString("hex");

/** Stores a visit that shows only its token; resolves to its device. */
function record(workspaceId: string, tokenId: string, isTokenKnown: boolean): Promise<string | undefined> {
  const challenge = { nonce: newToken(), bodyHash: randomBytes(32), eventId: newImprint(Date.now()) };
  const recognition = {
    tokenId,
    isTokenKnown,
    linkedDeviceId: undefined,
    newDeviceId: newId("device"),
    profile: undefined,
    place: undefined,
    shadow: undefined,
  };
  return appendDeviceVisit(db, { workspaceId, challenge, recognition, browserFamily: "Chrome", osFamily: "Windows" });
}

test("a token that was bound before leads to its device, whatever was known of it when the visit was matched", async () => {
  const { workspaceId } = await createSite(db);
  const token = newToken();
  const device = await record(workspaceId, token, false);
  expect(device).toMatch(/^dev_/);
  expect(await record(workspaceId, token, true)).toBe(device);
  expect(await record(workspaceId, token, false)).toBe(device);
});

test("a visit whose device was deleted after matching becomes the first of a new device", async () => {
  const { workspaceId } = await createSite(db);
  const token = newToken();
  const [first, second] = [await record(workspaceId, token, true), await record(workspaceId, token, true)];
  expect(first).toMatch(/^dev_/);
  expect(second).not.toBe(first);
});
