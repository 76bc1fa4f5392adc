import { setTimeout as delay } from "node:timers/promises";

import {
  type Address,
  createPublicClient,
  getAddress,
  type Hex,
  http,
  HttpRequestError,
  isAddressEqual,
  pad,
  parseAbi,
  parseEventLogs,
  type PublicClient,
  TimeoutError,
} from "viem";

import { AppError } from "@/lib/contract/errors";
import type { PaymentConfiguration } from "./configuration";
import { checkChain, type SpendingEvent } from "./domain/verdict";
import { failureText } from "@/lib/platform/failure-text";
import { nameOf, withoutDetail } from "./failure";
import type { AttemptOnChain, ChainVerdict, Payments } from "./payments";

const RPC_TIMEOUT_MS = 5_000;
/** Blocks by which a node may lag behind the one that reported the latest block. */
const START_MARGIN_BLOCKS = 64n;
/** How long to poll the chain for a settlement reported by the facilitator. */
const CONFIRMATION_MS = 2_000;
const CONFIRMATION_POLL_MS = 150;
/** Hosted nodes reject larger log ranges. */
const LOG_RANGE_BLOCKS = 2_000n;

/** Source: EIP-3009 and ERC-20. */
const TOKEN = parseAbi([
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
]);

type Authorization = { token: Address; payer: Address; payTo: Address; amount: bigint; nonce: Hex };

type Agreement = Pick<AttemptOnChain, "asset" | "payer" | "payTo" | "amountAtomic" | "nonce">;

const toAuthorization = ({ asset, payer, payTo, amountAtomic, nonce }: Agreement): Authorization => ({
  token: getAddress(asset),
  payer: getAddress(payer),
  payTo: getAddress(payTo),
  amount: BigInt(amountAtomic),
  nonce: pad(nonce.toLowerCase() as Hex, { size: 32 }),
});

/**
 * Whether the use of an authorization moved the agreed amount to the agreed address. A token emits `AuthorizationUsed`
 * immediately followed by the resulting `Transfer`; any other transfer in the same transaction proves nothing.
 */
async function readTransfer(client: PublicClient, wanted: Authorization, hash: Hex, useIndex: number) {
  const receipt = await client.getTransactionReceipt({ hash });
  const next = receipt.logs
    .filter((log) => isAddressEqual(log.address, wanted.token) && log.logIndex > useIndex)
    .sort((a, b) => a.logIndex - b.logIndex)
    .slice(0, 1);
  const [transfer] = parseEventLogs({ abi: TOKEN, eventName: "Transfer", logs: next });
  if (receipt.status !== "success" || !transfer) return "none";
  const { from, to, value } = transfer.args;
  const isAgreed = isAddressEqual(from, wanted.payer) && isAddressEqual(to, wanted.payTo) && value === wanted.amount;
  return isAgreed ? "agreed" : "other";
}

async function findEventIn(
  client: PublicClient,
  wanted: Authorization,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<SpendingEvent | undefined> {
  const filter = {
    address: wanted.token,
    args: { authorizer: wanted.payer, nonce: wanted.nonce },
    strict: true,
    ...range,
  };
  const [[use], [cancellation]] = await Promise.all([
    client.getLogs({ ...filter, event: TOKEN[0] }),
    client.getLogs({ ...filter, event: TOKEN[1] }),
  ]);
  if (use) {
    const { blockNumber: block, transactionHash: transaction, logIndex } = use;
    const transfer = await readTransfer(client, wanted, transaction, logIndex);
    return { kind: "used", block, transaction, transfer };
  }
  return cancellation && { kind: "canceled", block: cancellation.blockNumber };
}

async function findSpendingEvent(
  client: PublicClient,
  wanted: Authorization,
  [first, last]: readonly [bigint, bigint],
): Promise<SpendingEvent | undefined> {
  for (let fromBlock = first; fromBlock <= last; fromBlock += LOG_RANGE_BLOCKS) {
    const end = fromBlock + LOG_RANGE_BLOCKS - 1n;
    const found = await findEventIn(client, wanted, { fromBlock, toBlock: end < last ? end : last });
    if (found) return found;
  }
  return undefined;
}

type Reader = { client: PublicClient; configuration: PaymentConfiguration };

async function readFinalBlock({ client, configuration: { confirmations } }: Reader) {
  if (confirmations === undefined) return await client.getBlock({ blockTag: "finalized" });
  const newest = await client.getBlockNumber();
  const depth = BigInt(confirmations);
  return newest < depth ? undefined : await client.getBlock({ blockNumber: newest - depth });
}

async function readVerdict(reader: Reader, attempt: AttemptOnChain): Promise<ChainVerdict> {
  const { client, configuration } = reader;
  if (attempt.network !== configuration.network) {
    return { kind: "unknown", cause: "the service is configured for another chain" };
  }
  if ((await client.getChainId()) !== configuration.chainId) {
    return { kind: "unknown", cause: "the RPC serves another chain" };
  }
  const wanted = toAuthorization(attempt);
  // The final block is read first, so that the state read afterwards can only be newer.
  const final = await readFinalBlock(reader).catch(() => undefined);
  const pinned = await client.getBlock({ blockTag: "latest" });
  const isSpent = await client.readContract({
    address: wanted.token,
    abi: TOKEN,
    functionName: "authorizationState",
    args: [wanted.payer, wanted.nonce],
    blockNumber: pinned.number,
  });
  const event = isSpent ? await findSpendingEvent(client, wanted, [attempt.startBlock, pinned.number]) : undefined;
  return checkChain({ pinned, final, isSpent, event }, attempt.validBefore);
}

/** Whether a transaction used this authorization for the agreed transfer. */
async function showsTransfer(client: PublicClient, wanted: Authorization, hash: Hex): Promise<boolean> {
  const receipt = await client.getTransactionReceipt({ hash });
  const own = receipt.logs.filter((log) => isAddressEqual(log.address, wanted.token));
  const use = parseEventLogs({ abi: TOKEN, eventName: "AuthorizationUsed", logs: own }).find(
    ({ args }) => isAddressEqual(args.authorizer, wanted.payer) && args.nonce.toLowerCase() === wanted.nonce,
  );
  return use !== undefined && (await readTransfer(client, wanted, hash, use.logIndex)) === "agreed";
}

async function confirmTransfer({ client }: Reader, attempt: Agreement, transaction: string): Promise<boolean> {
  const [wanted, endsAt] = [toAuthorization(attempt), performance.now() + CONFIRMATION_MS];
  for (;;) {
    // The node may lag behind the facilitator's.
    if (await showsTransfer(client, wanted, transaction as Hex).catch(() => false)) return true;
    if (performance.now() > endsAt) return false;
    await delay(CONFIRMATION_POLL_MS);
  }
}

async function listFaults(reader: Reader): Promise<string[]> {
  const { client, configuration } = reader;
  try {
    const served = await client.getChainId();
    if (served !== configuration.chainId) return [`X402_RPC_URL serves chain ${served}, not ${configuration.chainId}`];
    if (configuration.confirmations === undefined) await readFinalBlock(reader);
    return [];
  } catch (error) {
    const isUnavailable = error instanceof HttpRequestError || error instanceof TimeoutError;
    return isUnavailable
      ? [`X402_RPC_URL does not answer (${failureText(error) ?? nameOf(error)})`]
      : ["X402_CONFIRMATIONS is not set and the RPC reports no finalized block"];
  }
}

/** On a node without a pending state only the latest block counts. */
async function readIsSpent(client: PublicClient, wanted: { token: Address; payer: string; nonce: string }) {
  const call = {
    address: wanted.token,
    abi: TOKEN,
    functionName: "authorizationState",
    args: [getAddress(wanted.payer), pad(wanted.nonce.toLowerCase() as Hex, { size: 32 })],
  } as const;
  const [isSpent, willBeSpent] = await Promise.all([
    client.readContract({ ...call, blockTag: "latest" }).catch((error: unknown) => {
      throw new AppError("payment_unavailable", { cause: withoutDetail("RPC", error) });
    }),
    client.readContract({ ...call, blockTag: "pending" }).catch(() => false),
  ]);
  return isSpent || willBeSpent;
}

type Chain = Pick<Payments, "readStartBlock" | "readIsSpent" | "readChainVerdict"> & {
  /** Whether the chain shows the transfer of the reported transaction, now or shortly. Never throws. */
  confirmTransfer: (attempt: Agreement, transaction: string) => Promise<boolean>;
  /** Faults of the RPC, for operators. */
  listFaults: () => Promise<string[]>;
};

/** Chain access under one configuration. */
export function createChain(configuration: PaymentConfiguration): Chain {
  const transport = http(configuration.rpcUrl, { timeout: RPC_TIMEOUT_MS, retryCount: 1 });
  const client: PublicClient = createPublicClient({ transport, cacheTime: 0 });
  const reader: Reader = { client, configuration };
  return {
    listFaults: () => listFaults(reader),
    confirmTransfer: (attempt, transaction) => confirmTransfer(reader, attempt, transaction),

    async readStartBlock() {
      const newest = await client.getBlockNumber().catch((error: unknown) => {
        throw new AppError("payment_unavailable", { cause: withoutDetail("RPC", error) });
      });
      return newest > START_MARGIN_BLOCKS ? newest - START_MARGIN_BLOCKS : 0n;
    },

    readIsSpent: ({ asset, payer, nonce }) => readIsSpent(client, { token: getAddress(asset), payer, nonce }),

    async readChainVerdict(attempt) {
      try {
        return await readVerdict(reader, attempt);
      } catch (error) {
        return { kind: "unknown", cause: `the RPC did not answer (${nameOf(error)})` };
      }
    },
  };
}
