import {
  type Address,
  decodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
} from "viem";

import { type BlockTime, type EmittedLog, Revert, Token, TOKEN_ABI } from "./token";

/** Chain id of development nodes. No public chain uses it, so nothing signed here is valid elsewhere. */
export const SANDBOX_CHAIN_ID = 31_337;
export const SANDBOX_TOKEN: Address = "0x00000000000000000000000000000000000e3009";

export type StoredTransaction = {
  hash: Hex;
  from: Address;
  to: Address;
  input: Hex;
  nonce: number;
  /** Undefined while it is in the pool. */
  block?: BlockTime;
  isReverted: boolean;
  logs: (EmittedLog & { logIndex: number })[];
};

/** A JSON-RPC error. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Hex,
  ) {
    super(message);
  }
}

type SerializedTransaction = Parameters<typeof recoverTransactionAddress>[0]["serializedTransaction"];

async function readRaw(raw: Hex) {
  const parsed = parseTransaction(raw);
  // Guaranteed by parseTransaction, which throws for any other input.
  const from = await recoverTransactionAddress({ serializedTransaction: raw as SerializedTransaction });
  if (!parsed.to) throw new RpcError(-32_000, "the sandbox deploys no contracts");
  return { from, to: parsed.to, input: parsed.data ?? "0x", nonce: parsed.nonce ?? 0 };
}

/**
 * A chain with one token: blocks, transactions, receipts and logs, without an EVM. Its clock is the machine's; a block
 * is mined with each transaction, and before the newest block is read if a second has passed. `advance` moves its
 * blocks and the authorizations seen so far into the future, until a new authorization is presented: that one is based
 * on the real clock, and so is the chain from then on.
 */
export class Chain {
  readonly token = new Token(
    SANDBOX_TOKEN,
    SANDBOX_CHAIN_ID,
    () => this.#clock() - BigInt(this.#offsetSeconds),
    () => {
      this.#returnToPresent();
    },
  );
  readonly transactions = new Map<Hex, StoredTransaction>();
  readonly blocks: BlockTime[] = [];
  /** Distance of the finalized block from the newest one. */
  finalityBlocks = 0n;
  readonly #nonces = new Map<string, number>();
  readonly #pool: StoredTransaction[] = [];
  #offsetSeconds = 0;
  #isMining = true;
  /**
   * Serialises operations: signatures are checked asynchronously, so concurrent transactions could otherwise see the
   * same state.
   */
  #tail: Promise<unknown> = Promise.resolve();

  constructor() {
    this.#addBlock();
  }

  nonceOf(address: Address): number {
    return this.#nonces.get(address.toLowerCase()) ?? 0;
  }

  send(raw: Hex): Promise<Hex> {
    return this.#inTurn(() => this.#send(raw));
  }

  mine(): Promise<BlockTime> {
    return this.#inTurn(() => this.#mine());
  }

  /** The newest block, after mining an empty one if a second has passed. */
  tick(): Promise<BlockTime> {
    return this.#inTurn(async () => {
      const newest = this.blocks.at(-1);
      if (newest && (!this.#isMining || this.#clock() <= newest.timestamp)) return newest;
      return await this.#mine();
    });
  }

  /**
   * Executes a token call as of a block.
   *
   * @throws Revert
   */
  async call(input: Hex, at: BlockTime): Promise<Hex> {
    return (await this.#inTurn(() => this.token.execute(input, at, false))).output;
  }

  /** Switches mining on or off. While it is off, time stands still and transactions wait in the pool. */
  setMining(isOn: boolean): Promise<void> {
    return this.#inTurn(async () => {
      this.#isMining = isOn;
      if (isOn && this.#pool.length > 0) await this.#mine();
    });
  }

  /** Advances the chain's clock and mines a block at the new time. */
  advance(seconds: number): Promise<void> {
    return this.#inTurn(async () => {
      this.#offsetSeconds += seconds;
      this.token.age(seconds);
      await this.#mine();
    });
  }

  /** Reorganises the chain so that a transfer by authorization was never mined, and is not mined again. */
  takeBack(hash: Hex): Promise<void> {
    return this.#inTurn(() => {
      const call = decodeFunctionData({ abi: TOKEN_ABI, data: this.transactions.get(hash)?.input ?? "0x" });
      if (call.functionName !== "transferWithAuthorization")
        throw new Error(`${hash} is not a transfer by authorization`);
      const [from, to, value, , , nonce] = call.args;
      this.transactions.delete(hash);
      this.token.takeBack({ from, to, value, nonce });
      return Promise.resolve();
    });
  }

  #returnToPresent(): void {
    if (this.#offsetSeconds === 0) return;
    this.#offsetSeconds = 0;
    this.#addBlock();
  }

  #clock(): bigint {
    return BigInt(Math.floor(Date.now() / 1000) + this.#offsetSeconds);
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task, task);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  #addBlock(): BlockTime {
    const block = { number: BigInt(this.blocks.length), timestamp: this.#clock() };
    this.blocks.push(block);
    return block;
  }

  async #mine(): Promise<BlockTime> {
    const block = this.#addBlock();
    let logIndex = 0;
    for (const transaction of this.#pool.splice(0)) {
      await this.#include(transaction, block, logIndex);
      logIndex += transaction.logs.length;
    }
    return block;
  }

  async #include(transaction: StoredTransaction, block: BlockTime, firstLogIndex: number): Promise<void> {
    transaction.block = block;
    try {
      if (transaction.to.toLowerCase() !== this.token.address) return;
      const { logs } = await this.token.execute(transaction.input, block, true);
      transaction.logs = logs.map((log, index) => ({ ...log, logIndex: firstLogIndex + index }));
    } catch (error) {
      if (!(error instanceof Revert)) throw error;
      transaction.isReverted = true;
    }
  }

  async #send(raw: Hex): Promise<Hex> {
    const hash = keccak256(raw);
    if (this.transactions.has(hash)) throw new RpcError(-32_000, "already known");
    const read = await readRaw(raw);
    const expected = this.nonceOf(read.from);
    if (read.nonce !== expected)
      throw new RpcError(-32_000, read.nonce < expected ? "nonce too low" : "nonce too high");
    this.#nonces.set(read.from.toLowerCase(), expected + 1);
    const transaction: StoredTransaction = { hash, ...read, isReverted: false, logs: [] };
    this.transactions.set(hash, transaction);
    this.#pool.push(transaction);
    if (this.#isMining) await this.#mine();
    return hash;
  }
}

export const blockHash = (number: bigint): Hex => numberToHex(number, { size: 32 });
