import {
  type Address,
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  hexToBigInt,
  multicall3Abi,
  numberToHex,
  parseAbi,
} from "viem";

import { blockHash, type Chain, RpcError, SANDBOX_CHAIN_ID, type StoredTransaction } from "./chain";
import { type BlockTime, Revert } from "./token";

const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";
const TRY_AGGREGATE = parseAbi([
  "function tryAggregate(bool requireSuccess,(address target,bytes callData)[] calls) payable returns ((bool success,bytes returnData)[])",
]);
const REVERT_ABI = parseAbi(["error Error(string)"]);
/** Balance in wei of every account, so that gas is never a problem. */
const GAS_MONEY = 10n ** 20n;

type CallObject = { to?: Address; data?: Hex; input?: Hex };
type Filter = {
  address?: Address | Address[];
  topics?: (Hex | Hex[] | null)[];
  fromBlock?: string;
  toBlock?: string;
};
type Method = (...params: never[]) => unknown;

const revertData = (text: string) => encodeErrorResult({ abi: REVERT_ABI, errorName: "Error", args: [text] });

const describeBlock = (block: BlockTime) => ({
  number: numberToHex(block.number),
  hash: blockHash(block.number),
  parentHash: blockHash(block.number === 0n ? 0n : block.number - 1n),
  timestamp: numberToHex(block.timestamp),
  gasLimit: "0x1c9c380",
  gasUsed: "0x0",
  baseFeePerGas: "0x1",
  transactions: [],
});

const describeLogs = (chain: Chain, { block, hash, logs }: StoredTransaction) =>
  logs.map(({ topics, data, logIndex }) => ({
    address: chain.token.address,
    topics,
    data,
    blockNumber: numberToHex(block?.number ?? 0n),
    blockHash: blockHash(block?.number ?? 0n),
    transactionHash: hash,
    transactionIndex: "0x0",
    logIndex: numberToHex(logIndex),
    removed: false,
  }));

function describeReceipt(chain: Chain, transaction: StoredTransaction) {
  const { block, hash, from, to, isReverted } = transaction;
  if (!block) return null;
  return {
    transactionHash: hash,
    transactionIndex: "0x0",
    blockNumber: numberToHex(block.number),
    blockHash: blockHash(block.number),
    from,
    to,
    status: isReverted ? "0x0" : "0x1",
    type: "0x2",
    contractAddress: null,
    cumulativeGasUsed: "0x186a0",
    gasUsed: "0x186a0",
    effectiveGasPrice: "0x1",
    logsBloom: `0x${"0".repeat(512)}`,
    logs: describeLogs(chain, transaction),
  };
}

const describeTransaction = ({ hash, from, to, input, nonce, block }: StoredTransaction) => ({
  hash,
  from,
  to,
  input,
  nonce: numberToHex(nonce),
  value: "0x0",
  gas: "0x186a0",
  type: "0x2",
  chainId: numberToHex(SANDBOX_CHAIN_ID),
  blockNumber: block ? numberToHex(block.number) : null,
  blockHash: block ? blockHash(block.number) : null,
  transactionIndex: block ? "0x0" : null,
});

const matchesTopics = (own: Hex[], wanted: Filter["topics"] = []) =>
  wanted.every((topic, index) => {
    if (topic === null) return true;
    const choices = (Array.isArray(topic) ? topic : [topic]).map((each) => each.toLowerCase());
    return choices.includes(own[index]?.toLowerCase() ?? "");
  });

/** The block for a tag or a number. */
async function blockAt(chain: Chain, tag = "latest"): Promise<BlockTime | undefined> {
  if (tag === "earliest") return chain.blocks[0];
  const newest = await chain.tick();
  if (tag === "finalized" || tag === "safe") {
    const number = newest.number - chain.finalityBlocks;
    return chain.blocks[Number(number < 0n ? 0n : number)];
  }
  return tag.startsWith("0x") ? chain.blocks[Number(hexToBigInt(tag as Hex))] : newest;
}

async function callMany(chain: Chain, input: Hex, at: BlockTime): Promise<Hex> {
  const { functionName, args } = decodeFunctionData({ abi: [...TRY_AGGREGATE, ...multicall3Abi], data: input });
  if (functionName !== "tryAggregate" && functionName !== "aggregate3") return "0x";
  const calls = functionName === "tryAggregate" ? args[1] : args[0];
  const result = await Promise.all(
    calls.map(async ({ target, callData }) => {
      try {
        return { success: true, returnData: await call(chain, { to: target, data: callData }, at) };
      } catch (error) {
        if (error instanceof Revert) return { success: false, returnData: revertData(error.message) };
        throw error;
      }
    }),
  );
  return encodeFunctionResult({ abi: TRY_AGGREGATE, functionName: "tryAggregate", result });
}

async function call(chain: Chain, { to, data, input = data ?? "0x" }: CallObject, at: BlockTime): Promise<Hex> {
  const address = to?.toLowerCase();
  if (address === chain.token.address) return await chain.call(input, at);
  return address === MULTICALL3 ? await callMany(chain, input, at) : "0x";
}

async function callOrRefuse(chain: Chain, object: CallObject, tag?: string): Promise<Hex> {
  const block = await blockAt(chain, tag);
  if (!block) throw new RpcError(-32_001, "header not found");
  try {
    return await call(chain, object, block);
  } catch (error) {
    if (!(error instanceof Revert)) throw error;
    throw new RpcError(3, `execution reverted: ${error.message}`, revertData(error.message));
  }
}

async function listLogs(chain: Chain, { address, topics, fromBlock, toBlock }: Filter) {
  const [first, last] = [await blockAt(chain, fromBlock), await blockAt(chain, toBlock)];
  if (!first || !last) throw new RpcError(-32_001, "block range extends beyond the newest block");
  const addresses = address === undefined ? [] : [address].flat().map((each) => each.toLowerCase());
  if (addresses.length > 0 && !addresses.includes(chain.token.address)) return [];
  return [...chain.transactions.values()]
    .filter(({ block }) => block && block.number >= first.number && block.number <= last.number)
    .flatMap((transaction) => describeLogs(chain, transaction))
    .filter((log) => matchesTopics(log.topics, topics));
}

const constants = (chain: Chain): Record<string, Method> => ({
  eth_chainId: () => numberToHex(SANDBOX_CHAIN_ID),
  net_version: () => String(SANDBOX_CHAIN_ID),
  eth_gasPrice: () => "0x1",
  eth_maxPriorityFeePerGas: () => "0x0",
  eth_feeHistory: () => ({ oldestBlock: "0x0", baseFeePerGas: ["0x1", "0x1"], gasUsedRatio: [0], reward: [["0x0"]] }),
  eth_getBalance: () => numberToHex(GAS_MONEY),
  eth_getCode: (address: Address) =>
    [chain.token.address, MULTICALL3].some((each) => each === address.toLowerCase()) ? "0x01" : "0x",
});

/** The JSON-RPC methods that x402 clients, facilitators and sellers use. */
const createMethods = (chain: Chain): Record<string, Method> => ({
  ...constants(chain),
  eth_blockNumber: async () => numberToHex((await chain.tick()).number),
  eth_getBlockByNumber: async (tag: string) => {
    const block = await blockAt(chain, tag);
    return block ? describeBlock(block) : null;
  },
  eth_getTransactionCount: (address: Address) => numberToHex(chain.nonceOf(address)),
  eth_call: (object: CallObject, tag?: string) => callOrRefuse(chain, object, tag),
  eth_estimateGas: async (object: CallObject) => {
    await callOrRefuse(chain, object);
    return numberToHex(100_000);
  },
  eth_sendRawTransaction: (raw: Hex) => chain.send(raw),
  eth_getTransactionReceipt: (hash: Hex) => {
    const transaction = chain.transactions.get(hash);
    return transaction ? describeReceipt(chain, transaction) : null;
  },
  eth_getTransactionByHash: (hash: Hex) => {
    const transaction = chain.transactions.get(hash);
    return transaction ? describeTransaction(transaction) : null;
  },
  eth_getLogs: (filter: Filter) => listLogs(chain, filter),
});

export type Request = (method: string, params: unknown[]) => Promise<unknown>;

/**
 * Handles one JSON-RPC request.
 *
 * @throws RpcError
 */
export function createRequest(chain: Chain): Request {
  const methods = createMethods(chain);
  return async (method, params) => {
    const run = methods[method];
    if (!run) throw new RpcError(-32_601, `the sandbox has no method ${method}`);
    return await run(...(params as never[]));
  };
}

type RpcCall = { id: unknown; method: string; params?: unknown[] };

async function answerCall(request: Request, { id, method, params = [] }: RpcCall) {
  try {
    return { jsonrpc: "2.0", id, result: await request(method, params) };
  } catch (error) {
    if (error instanceof RpcError) {
      const { code, message, data } = error;
      return { jsonrpc: "2.0", id, error: { code, message, data } };
    }
    return {
      jsonrpc: "2.0",
      id,
      error: { code: -32_603, message: error instanceof Error ? error.message : "failure" },
    };
  }
}

/** Handles a JSON-RPC request body: one call, or an array of calls. */
export const answerBody = (request: Request, body: unknown): Promise<unknown> =>
  Array.isArray(body)
    ? Promise.all(body.map((call) => answerCall(request, call as RpcCall)))
    : answerCall(request, body as RpcCall);
