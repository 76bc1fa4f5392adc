import { expect, test } from "vitest";

import { describeAmountUnder } from "./describe-amount";

const USDC = { network: "eip155:84532", asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" };
const OWN = { network: "eip155:31337", asset: `0x${"ab".repeat(20)}` };
const configured = { X402_NETWORK: OWN.network, X402_ASSET: OWN.asset.toUpperCase().replace("0X", "0x") };

test.each([
  [{}, { ...USDC, amountAtomic: "1000000" }, "1 USDC"],
  [{}, { ...USDC, asset: USDC.asset.toLowerCase(), amountAtomic: "1" }, "0.000001 USDC"],
  [{ ...configured, X402_TOKEN_DECIMALS: 2, X402_TOKEN_NAME: "Own" }, { ...OWN, amountAtomic: "1234" }, "12.34 Own"],
  [{ ...configured, X402_TOKEN_DECIMALS: 0 }, { ...OWN, amountAtomic: "7" }, "7"],
])("under %j %j is %s", (given, amount, text) => {
  expect(describeAmountUnder(given, amount)).toBe(text);
});

test("decimals of an unknown token and invalid amounts are never guessed", () => {
  const given = { ...configured, X402_TOKEN_DECIMALS: 2 };
  expect(describeAmountUnder(given, { ...OWN, network: "eip155:1", amountAtomic: "1234" })).toBeUndefined();
  expect(describeAmountUnder({}, { ...OWN, amountAtomic: "1234" })).toBeUndefined();
  expect(describeAmountUnder({}, { ...USDC, amountAtomic: "-1" })).toBeUndefined();
});
