import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  getAddress,
  type Hex,
  pad,
  parseAbi,
  recoverTypedDataAddress,
  serializeSignature,
  toEventSelector,
} from "viem";

/** A call that the token rejects. Facilitators distinguish rejections by these messages. */
export class Revert extends Error {}

export type BlockTime = { number: bigint; timestamp: bigint };
export type EmittedLog = { topics: Hex[]; data: Hex };
type Result = { output: Hex; logs: EmittedLog[] };

export const TOKEN_ABI = parseAbi([
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function decimals() view returns (uint8)",
  "function balanceOf(address) view returns (uint256)",
  "function authorizationState(address,bytes32) view returns (bool)",
  "function transferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,uint8 v,bytes32 r,bytes32 s)",
  "function transferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,bytes signature)",
  "function cancelAuthorization(address authorizer,bytes32 nonce,bytes signature)",
]);

/** Source: EIP-3009. */
export const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
  CancelAuthorization: [
    { name: "authorizer", type: "address" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

const TOPICS = {
  transfer: toEventSelector("Transfer(address,address,uint256)"),
  used: toEventSelector("AuthorizationUsed(address,bytes32)"),
  canceled: toEventSelector("AuthorizationCanceled(address,bytes32)"),
};

function demand(isGood: boolean, text: string): asserts isGood {
  if (!isGood) throw new Revert(text);
}

const signerOf = async (data: Parameters<typeof recoverTypedDataAddress>[0]): Promise<string> => {
  try {
    return await recoverTypedDataAddress(data);
  } catch {
    return "nobody";
  }
};

type Transfer = { from: Address; to: Address; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex };
type Cancellation = { authorizer: Address; nonce: Hex };
type Signed<T> = { message: T; signature: Hex; at: BlockTime };

const keyOf = (authorizer: string, nonce: string) => `${authorizer}|${nonce}`.toLowerCase();

const joined = (v: number, r: Hex = "0x", s: Hex = "0x"): Hex =>
  serializeSignature({ r, s, yParity: v === 0 || v === 27 ? 0 : 1 });

function decode(input: Hex) {
  try {
    return decodeFunctionData({ abi: TOKEN_ABI, data: input });
  } catch {
    throw new Revert("the token has no such function");
  }
}

/** An EIP-3009 token executed in JavaScript with real signatures. Contract signers (ERC-1271) are not supported. */
export class Token {
  readonly name = "USD Coin";
  readonly version = "2";
  readonly #balances = new Map<string, bigint>();
  /** The block in which each authorization was used or cancelled. */
  readonly #spent = new Map<string, bigint>();
  /** The seconds by which each authorization seen so far has aged beyond the machine's clock. */
  readonly #ages = new Map<string, bigint>();
  readonly #refilled = new Map<string, bigint>();

  constructor(
    readonly address: Address,
    readonly chainId: number,
    private readonly clock: () => bigint,
    /** Called when a new authorization is presented. */
    private readonly onNew: () => void,
  ) {}

  balanceOf(owner: string): bigint {
    return this.#balances.get(owner.toLowerCase()) ?? 0n;
  }

  credit(owner: string, amount: bigint): void {
    this.#balances.set(owner.toLowerCase(), this.balanceOf(owner) + amount);
  }

  /** Sets an account's balance to an amount now, and again after each of its payments. */
  refill(owner: string, amount: bigint): void {
    this.#refilled.set(owner.toLowerCase(), amount);
    this.#balances.set(owner.toLowerCase(), amount);
  }

  /** Ages every authorization seen so far; later ones follow the machine's clock. */
  age(seconds: number): void {
    for (const [key, age] of this.#ages) this.#ages.set(key, age + BigInt(seconds));
  }

  /** The current time for an authorization; asking for it marks the authorization as seen. */
  #timeFor(key: string): bigint {
    const age = this.#ages.get(key);
    if (age === undefined) {
      this.#ages.set(key, 0n);
      this.onNew();
    }
    return this.clock() + (age ?? 0n);
  }

  /**
   * Executes one call as of a block; with `commit` it changes the token.
   *
   * @throws Revert
   */
  async execute(input: Hex, at: BlockTime, commit: boolean): Promise<Result> {
    const call = decode(input);
    if (call.functionName === "cancelAuthorization") {
      const [authorizer, nonce, signature] = call.args;
      return { output: "0x", logs: await this.#cancel({ message: { authorizer, nonce }, signature, at }, commit) };
    }
    if (call.functionName === "transferWithAuthorization") {
      const [from, to, value, validAfter, validBefore, nonce, first, r, s] = call.args;
      const signature = typeof first === "string" ? first : joined(first, r, s);
      const message = { from, to, value, validAfter, validBefore, nonce };
      return { output: "0x", logs: await this.#transfer({ message, signature, at }, commit) };
    }
    return { output: this.#view(call, at), logs: [] };
  }

  #view(call: Exclude<ReturnType<typeof decode>, { functionName: `${string}Authorization` }>, at: BlockTime): Hex {
    const abi = TOKEN_ABI;
    switch (call.functionName) {
      case "name":
      case "version":
        return encodeFunctionResult({ abi, functionName: call.functionName, result: this[call.functionName] });
      case "decimals":
        return encodeFunctionResult({ abi, functionName: "decimals", result: 6 });
      case "balanceOf":
        return encodeFunctionResult({ abi, functionName: "balanceOf", result: this.balanceOf(call.args[0]) });
      case "authorizationState": {
        this.#timeFor(keyOf(call.args[0], call.args[1]));
        const spentIn = this.#spent.get(keyOf(call.args[0], call.args[1]));
        const result = spentIn !== undefined && spentIn <= at.number;
        return encodeFunctionResult({ abi, functionName: "authorizationState", result });
      }
    }
  }

  /** Reverts an authorization's transfer, as a chain reorganisation does. */
  takeBack({ from, to, value, nonce }: { from: Address; to: Address; value: bigint; nonce: Hex }): void {
    this.#spent.delete(keyOf(from, nonce));
    this.credit(to, -value);
    this.credit(from, value);
  }

  get #domain() {
    const { name, version, chainId } = this;
    return { name, version, chainId, verifyingContract: getAddress(this.address) };
  }

  async #transfer({ message, signature, at }: Signed<Transfer>, commit: boolean): Promise<EmittedLog[]> {
    const { from, to, value, nonce } = message;
    const time = this.#timeFor(keyOf(from, nonce));
    demand(time > message.validAfter, "FiatTokenV2: authorization is not yet valid");
    demand(time < message.validBefore, "FiatTokenV2: authorization is expired");
    demand(!this.#spent.has(keyOf(from, nonce)), "FiatTokenV2: authorization is used or canceled");
    const types = AUTHORIZATION_TYPES;
    const primaryType = "TransferWithAuthorization";
    const signer = await signerOf({ domain: this.#domain, types, primaryType, message, signature });
    demand(signer.toLowerCase() === from.toLowerCase(), "FiatTokenV2: invalid signature");
    demand(this.balanceOf(from) >= value, "ERC20: transfer amount exceeds balance");
    if (!commit) return [];
    this.#spent.set(keyOf(from, nonce), at.number);
    this.credit(from, -value);
    this.credit(to, value);
    const full = this.#refilled.get(from.toLowerCase());
    if (full !== undefined) this.#balances.set(from.toLowerCase(), full);
    return [
      { topics: [TOPICS.used, pad(from), nonce], data: "0x" },
      { topics: [TOPICS.transfer, pad(from), pad(to)], data: encodeAbiParameters([{ type: "uint256" }], [value]) },
    ];
  }

  async #cancel({ message, signature, at }: Signed<Cancellation>, commit: boolean): Promise<EmittedLog[]> {
    const { authorizer, nonce } = message;
    demand(!this.#spent.has(keyOf(authorizer, nonce)), "FiatTokenV2: authorization is used or canceled");
    const types = AUTHORIZATION_TYPES;
    const signer = await signerOf({
      domain: this.#domain,
      types,
      primaryType: "CancelAuthorization",
      message,
      signature,
    });
    demand(signer.toLowerCase() === authorizer.toLowerCase(), "FiatTokenV2: invalid signature");
    if (!commit) return [];
    this.#spent.set(keyOf(authorizer, nonce), at.number);
    return [{ topics: [TOPICS.canceled, pad(authorizer), nonce], data: "0x" }];
  }
}
