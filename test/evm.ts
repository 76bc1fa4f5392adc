import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { x402Facilitator } from "@x402/core/facilitator";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import {
  type Address,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  parseAbi,
  publicActions,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { startJsonServer } from "@/scripts/sandbox/json-server";

const CHAIN_ID = 31_337;
/** The first two development accounts of the public mnemonic, which the node funds with gas. Their keys are public. */
const DEPLOYER: Hex = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const FACILITATOR: Hex = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";
const START_MS = 20_000;

/** Compiled from `test/evm/contracts.sol`; its header says how. */
const CODE = JSON.parse(readFileSync("test/evm/bytecode.json", "utf8")) as Record<
  "TestToken" | "WalletFactory" | "Aggregator",
  Hex
>;
const FACTORY = parseAbi([
  "function addressOf(address owner, bytes32 salt) view returns (address)",
  "function deploy(address owner, bytes32 salt) returns (address)",
]);
const TOKEN = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address) view returns (uint256)",
]);

/** The node's binary for this platform, from its npm package. */
function findAnvil(): string {
  const require = createRequire(import.meta.url);
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const manifest = require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`);
  return path.join(path.dirname(manifest), "bin/anvil");
}

/** Resolves to the URL of the node once it is listening. */
function listening(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const timer = setTimeout(() => {
      reject(new Error(`The node did not start:\n${printed}`));
    }, START_MS);
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const [, address] = /Listening on (\S+)/.exec(printed) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(`http://${address}`);
    });
    child.once("error", reject);
  });
}

/** Starts a real EVM on this machine: an EIP-3009 token, a smart wallet factory, and the official facilitator. */
export async function startEvm() {
  const child = spawn(findAnvil(), ["--port", "0", "--host", "127.0.0.1", "--chain-id", String(CHAIN_ID)]);
  const rpcUrl = await listening(child);
  const chain = defineChain({
    id: CHAIN_ID,
    name: "Test",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const clientOf = (key: Hex) =>
    createWalletClient({
      account: privateKeyToAccount(key),
      chain,
      transport: http(rpcUrl),
      pollingInterval: 20,
    }).extend(publicActions);
  const deployer = clientOf(DEPLOYER);

  async function mined(hash: Hex) {
    const receipt = await deployer.waitForTransactionReceipt({ hash });
    if (receipt.status !== "success") throw new Error(`${hash} was reverted`);
    return receipt;
  }
  async function deploy(code: Hex): Promise<Address> {
    const { contractAddress } = await mined(await deployer.sendTransaction({ data: code }));
    return getAddress(contractAddress ?? "");
  }
  const [token, factory, aggregator] = [
    await deploy(CODE.TestToken),
    await deploy(CODE.WalletFactory),
    await deploy(CODE.Aggregator),
  ];
  const code = await deployer.getCode({ address: aggregator });
  await deployer.request({ method: "anvil_setCode" as never, params: [MULTICALL3, code] as never });

  return {
    rpcUrl,
    token,
    factory,
    network: `eip155:${CHAIN_ID}` as const,
    mint: async (to: Address, value: bigint) => {
      await mined(
        await deployer.writeContract({ address: token, abi: TOKEN, functionName: "mint", args: [to, value] }),
      );
    },
    balanceOf: (owner: Address) =>
      deployer.readContract({ address: token, abi: TOKEN, functionName: "balanceOf", args: [owner] }),
    hasCode: async (address: Address) => (await deployer.getCode({ address })) !== undefined,
    /** The wallet of an owner, which exists once deployed, and the call that deploys it. */
    async walletOf(owner: Address, salt: Hex) {
      const args = [owner, salt] as const;
      const address = await deployer.readContract({ address: factory, abi: FACTORY, functionName: "addressOf", args });
      const deployment = encodeFunctionData({ abi: FACTORY, functionName: "deploy", args });
      return {
        address,
        deployment,
        deploy: async () => {
          await mined(await deployer.sendTransaction({ to: factory, data: deployment }));
        },
      };
    },
    /** Starts the official facilitator, which deploys wallets of the allowed factories; by default there are none. */
    async startFacilitator(eip6492AllowedFactories: Address[] = []) {
      const client = clientOf(FACILITATOR);
      const signer = toFacilitatorEvmSigner(
        {
          address: client.account.address,
          readContract: (call) => client.readContract({ ...call, args: call.args ?? [] }),
          verifyTypedData: (data) => client.verifyTypedData(data as Parameters<typeof client.verifyTypedData>[0]),
          writeContract: (call) => client.writeContract({ ...call, args: call.args }),
          sendTransaction: (transaction) => client.sendTransaction(transaction),
          waitForTransactionReceipt: (wanted) => client.waitForTransactionReceipt(wanted),
          getCode: (wanted) => client.getCode(wanted),
        },
        { confirmationTimeoutMs: 10_000 },
      );
      const official = new x402Facilitator().register(
        `eip155:${CHAIN_ID}`,
        new ExactEvmScheme(signer, { eip6492AllowedFactories }),
      );
      return await startJsonServer(async ({ path: asked, body }) => {
        if (asked === "/supported") return { status: 200, body: official.getSupported() };
        const { paymentPayload, paymentRequirements } = body as {
          paymentPayload: PaymentPayload;
          paymentRequirements: PaymentRequirements;
        };
        return asked === "/verify"
          ? { status: 200, body: await official.verify(paymentPayload, paymentRequirements) }
          : { status: 200, body: await official.settle(paymentPayload, paymentRequirements) };
      });
    },
    stop: () => {
      child.kill("SIGKILL");
    },
  };
}
