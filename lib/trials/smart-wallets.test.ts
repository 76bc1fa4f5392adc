import { randomBytes } from "node:crypto";

import { encodePaymentSignatureHeader } from "@x402/core/http";
import type { PaymentRequired } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { x402Client } from "@x402/fetch";
import { type Hex, serializeErc6492Signature } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, expect, test } from "vitest";

import { ensurePartitions } from "@/db/partitions";
import { env } from "@/lib/platform/env";
import { createPayments } from "@/lib/trials/payments/create-payments";
import { createTestDatabase } from "@/test/database";
import { startEvm } from "@/test/evm";
import { systemContext } from "@/test/trials";
import { buyTrial } from "./buy-trial";
import { identifyPurchase } from "./identify-purchase";

const PRICE = 1_000_000n;
const PAY_TO = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const { db } = await createTestDatabase();
await ensurePartitions(db, new Date(), new Date());
const evm = await startEvm();
const strict = await evm.startFacilitator();
const deploying = await evm.startFacilitator([evm.factory]);
afterAll(async () => {
  await Promise.all([strict.close(), deploying.close()]);
  evm.stop();
});

const portsOf = (facilitator: { url: string }) => ({
  payments: createPayments({
    ...env,
    X402_FACILITATOR_URL: facilitator.url,
    X402_RPC_URL: evm.rpcUrl,
    X402_NETWORK: evm.network,
    X402_ASSET: evm.token,
    X402_PAY_TO: PAY_TO,
    X402_AMOUNT_ATOMIC: PRICE.toString(),
    X402_TOKEN_NAME: "USD Coin",
    X402_TOKEN_VERSION: "2",
    X402_CONFIRMATIONS: 1,
  }),
  leaseSeconds: 5,
  responseTimeoutMs: 15_000,
});

/** A funded wallet whose owner signs its payments. With `isDeployed` false it comes into existence with its first payment. */
async function createWallet({ isDeployed }: { isDeployed: boolean }) {
  const owner = privateKeyToAccount(generatePrivateKey());
  const wallet = await evm.walletOf(owner.address, `0x${randomBytes(32).toString("hex")}`);
  await evm.mint(wallet.address, PRICE);
  if (isDeployed) await wallet.deploy();
  const wrap = (signature: Hex) =>
    isDeployed ? signature : serializeErc6492Signature({ address: evm.factory, data: wallet.deployment, signature });
  const signer = {
    address: wallet.address,
    signTypedData: async (data: Parameters<typeof owner.signTypedData>[0]) => wrap(await owner.signTypedData(data)),
  };
  const spend = { network: evm.network, asset: evm.token, maxAmountPerPayment: PRICE.toString() };
  const client = new x402Client()
    .register(evm.network, new ExactEvmScheme(signer))
    .setSpendControls({ allowedAssets: [spend] });
  return { address: wallet.address, client };
}

async function buy({ client }: Awaited<ReturnType<typeof createWallet>>, facilitator: { url: string }) {
  const ports = portsOf(facilitator);
  const claimToken = randomBytes(32).toString("hex");
  const call = async (signature?: string) => {
    const caller = await identifyPurchase(db, claimToken);
    const body = { origin: "https://agent.example", claim_token: claimToken };
    return await buyTrial(systemContext(db), caller, { body, signature }, ports);
  };
  const challenge = await call();
  expect(challenge.status).toBe(402);
  const payload = await client.createPaymentPayload(challenge.body as PaymentRequired); // safe: the body of a 402
  return { call, answer: await call(encodePaymentSignatureHeader(payload)) };
}

test("a contract wallet buys with its owner's signature (ERC-1271)", async () => {
  const wallet = await createWallet({ isDeployed: true });
  const before = await evm.balanceOf(PAY_TO);
  const { call, answer } = await buy(wallet, strict);
  expect([answer.status, answer.body]).toMatchObject([200, { status: "active" }]);
  expect((await call()).body).toEqual(answer.body);
  expect((await evm.balanceOf(PAY_TO)) - before).toBe(PRICE);
  expect(await evm.balanceOf(wallet.address)).toBe(0n);
});

test("an undeployed wallet is deployed by a facilitator that may do so, and buys (ERC-6492)", async () => {
  const wallet = await createWallet({ isDeployed: false });
  expect(await evm.hasCode(wallet.address)).toBe(false);
  const before = await evm.balanceOf(PAY_TO);
  const { answer } = await buy(wallet, deploying);
  expect([answer.status, answer.body]).toMatchObject([200, { status: "active" }]);
  expect(await evm.hasCode(wallet.address)).toBe(true);
  expect((await evm.balanceOf(PAY_TO)) - before).toBe(PRICE);
});

test("if the facilitator may not deploy it, such a wallet is refused with advice, and nothing is taken", async () => {
  const wallet = await createWallet({ isDeployed: false });
  const { answer } = await buy(wallet, strict);
  expect(answer.status).toBe(402);
  expect((answer.body as PaymentRequired).error).toMatch(/^eip6492_factory_not_allowed: .*deploy the wallet first/);
  expect(await evm.balanceOf(wallet.address)).toBe(PRICE);
});

test("another account's signature is refused for a contract wallet too", async () => {
  const [wallet, other] = [await createWallet({ isDeployed: true }), await createWallet({ isDeployed: true })];
  const { answer } = await buy({ ...wallet, client: forge(wallet.address, other.client) }, strict);
  expect(answer.status).toBe(402);
  expect(await evm.balanceOf(wallet.address)).toBe(PRICE);
});

/** A client whose payments name a different wallet from the one that its owner signs for. */
function forge(address: Hex, client: x402Client): x402Client {
  const create = client.createPaymentPayload.bind(client);
  client.createPaymentPayload = async (required) => {
    const payload = await create(required);
    const { authorization } = payload.payload as { authorization: { from: Hex } };
    authorization.from = address;
    return payload;
  };
  return client;
}
