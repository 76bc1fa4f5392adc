import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { startMailServer } from "@/test/mail-server";
import { memberContext, operatorContext } from "@/test/workspaces";
import { resumeEndpoint, sendNotices } from "./index";
import { setupOf } from "@/test/webhooks";

const { db } = await createTestDatabase();
const createSetup = setupOf(db);
const { signal } = new AbortController();
const CLAIM_SECONDS = 300;

/** A workspace with two admins and an analyst, whose endpoint was disabled. */
async function createDisabled() {
  const setup = await createSetup((response) => response.writeHead(410).end());
  const { workspaceId } = setup;
  const owner = (await memberContext(db, workspaceId, "owner")).actor.email;
  const admin = (await memberContext(db, workspaceId, "admin")).actor.email;
  await memberContext(db, workspaceId, "analyst");
  await setup.tell();
  await setup.send();
  const server = await startMailServer();
  let shiftSeconds = 0;
  return {
    ...setup,
    ...server,
    owner,
    admin,
    mail: (smtpUrl: string | undefined = server.url) => sendNotices(db, { signal, shiftSeconds, smtpUrl }),
    wait: (seconds: number) => {
      shiftSeconds += seconds;
    },
    addressees: () => server.mails.map(({ to }) => to).toSorted(),
  };
}

test("owners and admins are notified once that an endpoint was disabled, why, and where to resume it; no one else is", async () => {
  const { owner, admin, mails, mail, wait, addressees, workspaceId, endpointId } = await createDisabled();
  await mail();
  wait(2 * CLAIM_SECONDS);
  await mail();
  expect(addressees()).toEqual([owner, admin].toSorted());
  const [first] = mails;
  expect(first?.subject).toBe('Webhook "Test" was disabled');
  expect(first?.text).toContain("Imprint no longer sends events to http://127.0.0.1:");
  expect(first?.text).toContain("it answered 410 gone");
  expect(first?.text).toContain(`/w/${workspaceId}/webhooks/${endpointId}`);
});

test("members who were notified get no second mail because another's address was refused, for now or permanently", async () => {
  const { owner, admin, refused, mail, wait, addressees } = await createDisabled();
  refused.set(admin, 451);
  await mail();
  refused.clear();
  wait(2 * CLAIM_SECONDS);
  await mail();
  expect(addressees()).toEqual([owner]);
});

test("a notice that reached no one is sent again after five minutes, not before, unless all addresses are permanently refused", async () => {
  const { owner, admin, refused, mail, wait, addressees } = await createDisabled();
  await mail("smtp://127.0.0.1:1");
  await mail();
  expect(addressees()).toEqual([]);
  refused.set(owner, 451).set(admin, 550);
  wait(CLAIM_SECONDS + 1);
  await mail();
  refused.set(owner, 550);
  wait(CLAIM_SECONDS + 1);
  await mail();
  refused.clear();
  wait(CLAIM_SECONDS + 1);
  await mail();
  expect(addressees()).toEqual([]);
});

test("a notice that the mail server may have accepted is sent only once more, with the same Message-ID", async () => {
  const { owner, admin, cut, messageIds, mail, wait, addressees } = await createDisabled();
  cut.add(owner).add(admin);
  await mail();
  wait(2 * CLAIM_SECONDS);
  await mail();
  expect(addressees()).toEqual([owner, owner, admin, admin].toSorted());
  expect(new Set(messageIds).size).toBe(2);
});

test("no mail is sent for an endpoint that was resumed first", async () => {
  const { workspaceId, endpointId, mail, addressees } = await createDisabled();
  await resumeEndpoint(operatorContext(db), { workspaceId, endpointId });
  await mail();
  expect(addressees()).toEqual([]);
});
