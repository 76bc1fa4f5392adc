import { expect, test } from "vitest";

import { createTestPayments, testTerms } from "@/test/payments";
import { checkPayments } from "./payments";

test("unconfigured payments are not a fault", async () => {
  const given = { isConfigured: false, ...createTestPayments({ X402_NETWORK: undefined }) };
  expect(await checkPayments(given)).toMatchObject([{ status: "ok" }]);
});

test("the price is reported if trials can be sold", async () => {
  const terms = testTerms();
  const readAvailability = () => Promise.resolve({ available: true as const, terms });
  const describeFacilitators = () => Promise.resolve([{ name: "one", supports: "exact on eip155:1", faults: [] }]);
  expect(await checkPayments({ isConfigured: true, readAvailability, describeFacilitators })).toMatchObject([
    { status: "ok", text: expect.stringContaining("A trial costs 1000000 of") as string },
    { name: "facilitator", status: "ok", text: "one serves exact on eip155:1." },
  ]);
});

test("what is missing is named, and so are services that do not answer", async () => {
  const incomplete = { isConfigured: true, ...createTestPayments({ X402_PAY_TO: undefined }) };
  expect(await checkPayments(incomplete)).toMatchObject([
    { status: "warn", text: "Agent Trials cannot be sold: X402_PAY_TO is not set." },
  ]);
  const away = { isConfigured: true, ...createTestPayments() };
  const [sale, facilitator] = await checkPayments(away);
  expect(sale?.text).toMatch(/X402_FACILITATOR_URL does not answer.*X402_RPC_URL does not answer/);
  expect(facilitator).toMatchObject({
    name: "facilitator",
    status: "warn",
    text: expect.stringContaining("did not say") as string,
  });
});
