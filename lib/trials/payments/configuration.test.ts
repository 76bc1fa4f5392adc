import { expect, test } from "vitest";

import { type PaymentVariables, readConfiguration } from "./configuration";
import { composeTerms } from "./terms";
import { TEST_VARIABLES } from "@/test/payments";

const read = (given: Partial<PaymentVariables>) => readConfiguration({ ...TEST_VARIABLES, ...given });
const missing = (given: Partial<PaymentVariables>) => {
  const result = read(given);
  return "missing" in result ? result.missing : [];
};

test("without any variable, everything required is named", () => {
  const { X402_MAX_TIMEOUT_S, X402_SETTLE_TIMEOUT_S } = TEST_VARIABLES;
  expect(readConfiguration({ X402_MAX_TIMEOUT_S, X402_SETTLE_TIMEOUT_S })).toEqual({
    missing: [
      "X402_FACILITATOR_URL is not set",
      "X402_RPC_URL is not set",
      "X402_NETWORK is not set",
      "X402_ASSET is not set",
      "X402_PAY_TO is not set",
      "X402_AMOUNT_ATOMIC is not set",
    ],
  });
});

test.each([
  "X402_FACILITATOR_URL",
  "X402_RPC_URL",
  "X402_NETWORK",
  "X402_ASSET",
  "X402_PAY_TO",
  "X402_AMOUNT_ATOMIC",
] as const)("if only %s is missing, there is no configuration and only it is named", (name) => {
  expect(missing({ [name]: undefined })).toEqual([`${name} is not set`]);
});

test.each([
  [{ X402_NETWORK: "base" }, "X402_NETWORK is not eip155:CHAIN_ID"],
  [{ X402_NETWORK: "eip155:0" }, "X402_NETWORK is not eip155:CHAIN_ID"],
  [{ X402_NETWORK: "solana:mainnet" }, "X402_NETWORK is not eip155:CHAIN_ID"],
  [{ X402_ASSET: "USDC" }, "X402_ASSET is not an address"],
  [{ X402_PAY_TO: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293bC" }, "X402_PAY_TO is not an address"],
  [{ X402_PAY_TO: `0x${"0".repeat(40)}` }, "X402_PAY_TO is the zero address"],
  [{ X402_AMOUNT_ATOMIC: "0" }, "X402_AMOUNT_ATOMIC is not a whole number of atomic units above 0"],
  [{ X402_AMOUNT_ATOMIC: "1.5" }, "X402_AMOUNT_ATOMIC is not a whole number of atomic units above 0"],
  [{ X402_AMOUNT_ATOMIC: "-1" }, "X402_AMOUNT_ATOMIC is not a whole number of atomic units above 0"],
  [{ X402_AMOUNT_ATOMIC: (2n ** 256n).toString() }, "X402_AMOUNT_ATOMIC is not a whole number of atomic units above 0"],
  [{ X402_TOKEN_NAME: undefined }, "X402_TOKEN_NAME is not set and the token is not a known one"],
  [{ X402_TOKEN_VERSION: undefined }, "X402_TOKEN_VERSION is not set and the token is not a known one"],
])("%j is refused with a message", (given, text) => {
  expect(missing(given)).toEqual([text]);
});

test("the token domain of public USDC is known for each network", () => {
  const domain = { X402_TOKEN_NAME: undefined, X402_TOKEN_VERSION: undefined };
  const base = read({
    ...domain,
    X402_NETWORK: "eip155:8453",
    X402_ASSET: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  });
  expect(base).toMatchObject({ configuration: { tokenName: "USD Coin", tokenVersion: "2", chainId: 8453 } });
  const sepolia = read({
    ...domain,
    X402_NETWORK: "eip155:84532",
    X402_ASSET: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  });
  expect(sepolia).toMatchObject({ configuration: { tokenName: "USDC", tokenVersion: "2" } });
});

test.each([{ X402_FACILITATOR_URL: "https://x402.org/facilitator" }, { X402_RPC_URL: "http://10.0.0.1:8545" }])(
  "the sandbox network is refused with a service on another machine: %j",
  (given) => {
    expect(missing(given)).toEqual([expect.stringContaining("eip155:31337 is the sandbox")]);
  },
);

test("the terms match the configuration, with checksummed addresses", () => {
  const result = read({ X402_PAY_TO: TEST_VARIABLES.X402_PAY_TO.toLowerCase() });
  if ("missing" in result) throw new Error(result.missing.join());
  expect(composeTerms(result.configuration)).toEqual({
    requirement: {
      scheme: "exact",
      network: "eip155:31337",
      amount: "1000000",
      asset: "0x00000000000000000000000000000000000E3009",
      payTo: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
      maxTimeoutSeconds: 120,
      extra: { name: "USD Coin", version: "2" },
    },
    quote: {
      amount_atomic: "1000000",
      asset: "0x00000000000000000000000000000000000E3009",
      network: "eip155:31337",
      pay_to: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    },
  });
});
