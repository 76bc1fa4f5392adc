import type { PaymentPayload } from "@x402/core/types";
import { type Address, encodeFunctionData, getAddress, type Hex } from "viem";
import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";

import { type Chain, SANDBOX_CHAIN_ID, SANDBOX_TOKEN } from "./chain";
import { authorizationOf } from "./facilitator";
import { AUTHORIZATION_TYPES, TOKEN_ABI } from "./token";

/**
 * The second development account of the public mnemonic; sends the transactions that buyers make on the chain
 * themselves.
 */
const HELPER = privateKeyToAccount("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d");

const DOMAIN = {
  name: "USD Coin",
  version: "2",
  chainId: SANDBOX_CHAIN_ID,
  verifyingContract: getAddress(SANDBOX_TOKEN),
};

/** What a buyer can do with an authorization without the facilitator. */
export function createInterference(chain: Chain, accountOf: (address: string) => PrivateKeyAccount) {
  async function send(data: Hex): Promise<void> {
    const raw = await HELPER.signTransaction({
      chainId: SANDBOX_CHAIN_ID,
      nonce: chain.nonceOf(HELPER.address),
      to: SANDBOX_TOKEN,
      data,
      gas: 100_000n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 0n,
    });
    await chain.send(raw);
  }

  return {
    /** Cancels a payment's authorization. */
    async cancel(payload: PaymentPayload): Promise<void> {
      const { from, nonce } = authorizationOf(payload);
      const account = accountOf(from);
      const signature = await account.signTypedData({
        domain: DOMAIN,
        types: AUTHORIZATION_TYPES,
        primaryType: "CancelAuthorization",
        message: { authorizer: account.address, nonce },
      });
      const args = [account.address, nonce, signature] as const;
      await send(encodeFunctionData({ abi: TOKEN_ABI, functionName: "cancelAuthorization", args }));
    },

    /** Uses a payment's nonce for a transfer of one unit to another account. */
    async useOtherwise(payload: PaymentPayload, to: Address = HELPER.address): Promise<void> {
      const { from, nonce, validBefore } = authorizationOf(payload);
      const account = accountOf(from);
      const message = { from: account.address, to, value: 1n, validAfter: 0n, validBefore: BigInt(validBefore), nonce };
      const signature = await account.signTypedData({
        domain: DOMAIN,
        types: AUTHORIZATION_TYPES,
        primaryType: "TransferWithAuthorization",
        message,
      });
      const args = [account.address, to, 1n, 0n, message.validBefore, nonce, signature] as const;
      await send(encodeFunctionData({ abi: TOKEN_ABI, functionName: "transferWithAuthorization", args }));
    },
  };
}
