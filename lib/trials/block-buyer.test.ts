import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { readAuditPage, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { operatorContext } from "@/test/workspaces";
import { createBuyer } from "@/scripts/sandbox/buyer";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { blockBuyer, createIntent, listBlocks, unblockBuyer } from "./index";
import { moneyOf, ORIGIN, sandboxPorts, startPurchase } from "@/test/trials";

const { db } = await createTestDatabase();
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
const operator = operatorContext(db);
afterAll(() => sandbox.close());

test("a blocked payer is refused before anything is charged, regardless of address case; another payer can buy", async () => {
  const purchase = await startPurchase(db, sandbox, ports);
  const account = sandbox.createAccount();
  await blockBuyer(operator, { buyer: account.address.toUpperCase().replace("0X", "0x"), reason: "abuse" });
  const refused = await purchase.activate(await purchase.sign(createBuyer(account)));
  expect(refused).toMatchObject({ status: 402, body: { error: "Nothing is sold to this buyer" } });
  expect(await moneyOf(db, purchase.intentId)).toMatchObject({ settled: 0, failed: 0, open: 0, grants: 0 });
  expect((await purchase.activate(await purchase.sign())).status).toBe(200);
});

test("a blocked origin can neither start nor finish a purchase until it is unblocked", async () => {
  const started = await startPurchase(db, sandbox, ports);
  const signature = await started.sign();
  const wanted = { product_code: "agent_trial_lite_100", origin: ORIGIN };
  await blockBuyer(operator, { buyer: ORIGIN });
  await blockBuyer(operator, { buyer: ORIGIN, reason: "again" });
  await expect(createIntent({ db }, wanted, ports)).rejects.toMatchObject({ code: "product_unavailable" });
  expect(await started.activate(signature)).toMatchObject({ status: 402 });
  const elsewhere = { ...wanted, origin: "https://other.example" };
  expect((await createIntent({ db }, elsewhere, ports)).status).toBe("payment_required");
  expect((await listBlocks(operator)).filter(({ kind }) => kind === "origin")).toMatchObject([
    { value: ORIGIN, reason: null },
  ]);
  await unblockBuyer(operator, { buyer: ORIGIN });
  expect((await started.activate(signature)).status).toBe(200);
  await expect(unblockBuyer(operator, { buyer: ORIGIN })).rejects.toMatchObject({ code: "not_found" });
  const { entries } = await readAuditPage(db, SYSTEM_WORKSPACE_ID, { filter: { target: ORIGIN } });
  expect(entries.map(({ action }) => action)).toEqual(["trial.unblock", "trial.block"]);
});

test("a reason is stored without characters that turn its text around", async () => {
  await blockBuyer(operator, { buyer: "https://cheat.example", reason: "safe\u202egnp.exe\n\u2069!" });
  const blocks = await listBlocks(operator);
  expect(blocks.find(({ value }) => value === "https://cheat.example")?.reason).toBe("safe gnp.exe !");
});

test.each(["", "agent.example", "https://agent.example/path", "https://*.agent.example", "0x12", "ati_1"])(
  "%j is not a buyer",
  async (buyer) => {
    await expect(blockBuyer(operator, { buyer })).rejects.toMatchObject({
      code: expect.stringMatching(/^invalid_(request|origin)$/) as string,
    });
  },
);
