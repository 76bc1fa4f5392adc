import { decodePaymentRequiredHeader } from "@x402/core/http";
import { expect } from "vitest";

import { anAddress } from "@/test/trials";
import { createBuyer } from "@/scripts/sandbox/buyer";
import type { Sandbox } from "@/scripts/sandbox/sandbox";
import { leaksIn } from "./leaks";

export type Intent = { intent_id: string; claim_token: string; activate_url: string; status_url: string };
export type Status = { status: string; api_key?: string; environment_id?: string };
export type Answer = { response: Response; text: string };

export const PRODUCT = { product_code: "agent_trial_lite_100", origin: "https://agent.example" };
/** Below the rate at which one address may ask. */
const POLLING = { timeout: 60_000, interval: 150 };

export const bearer = ({ claim_token }: Pick<Intent, "claim_token">) => ({ authorization: `Bearer ${claim_token}` });

/**
 * A buyer of one trial over HTTP, from an address of its own, that signs payments and sends them when it is told to.
 *
 * @param baseUrl where the service is at present: it may have been started again elsewhere
 */
export function createTrialBuyer(sandbox: Sandbox, baseUrl: () => string) {
  const account = sandbox.createAccount();
  const wallet = createBuyer(account);
  const address = anAddress();
  const funds = () => sandbox.chain.token.balanceOf(account.address);
  const before = funds();
  let intent: Intent | undefined;
  /** What must be in no log and no row, and in no answer but the one that hands it out. */
  const secrets: Record<string, string> = {};
  const answers: { asked: string; text: string }[] = [];

  const requireIntent = () => {
    if (!intent) throw new Error("the buyer has no intent");
    return intent;
  };

  async function ask(path: string, { headers, ...init }: RequestInit = {}): Promise<Answer> {
    const sent = { "x-forwarded-for": address, ...(headers as Record<string, string> | undefined) };
    const response = await fetch(baseUrl() + path, { ...init, headers: sent });
    const text = await response.text();
    answers.push({
      asked: `${init.method ?? "GET"} ${path}`,
      text: `${JSON.stringify([...response.headers])}\n${text}`,
    });
    return { response, text };
  }
  const place = () => `/api/v1/agent/trial-intents/${requireIntent().intent_id}`;

  const buyer = {
    ask,
    secrets,
    /** The secrets in answers that are not meant to carry them. */
    leaks: (): string[] =>
      answers.flatMap(({ asked, text }) =>
        leaksIn(text, secrets)
          .filter((name) => !(asked.endsWith("/trial-intents") && name.startsWith("claim token")))
          .filter((name) => !(asked === `GET ${place()}` && name === "key"))
          .map((name) => `${name} in ${asked}`),
      ),
    /** Payments that it has signed. */
    signatures: wallet.signatures,
    /** What it has paid, in atomic units. */
    spent: () => before - funds(),
    intent: requireIntent,

    async create(): Promise<Intent> {
      const body = JSON.stringify(PRODUCT);
      const headers = { "content-type": "application/json" };
      const { response, text } = await ask("/api/v1/agent/trial-intents", { method: "POST", headers, body });
      expect([response.status, text]).toEqual([201, expect.any(String)]);
      intent = JSON.parse(text) as Intent;
      secrets[`claim token of ${intent.intent_id}`] = intent.claim_token;
      return intent;
    },

    activate: (signature?: string): Promise<Answer> =>
      ask(`${place()}/activate`, {
        method: "POST",
        headers: { ...bearer(requireIntent()), ...(signature === undefined ? {} : { "payment-signature": signature }) },
      }),

    /** Signs a payment for the challenge that the service answers with now. */
    async sign(): Promise<string> {
      const [signature = ""] = await buyer.signMany(1);
      return signature;
    },

    /** Different payments for one challenge. */
    async signMany(count: number): Promise<string[]> {
      const { response, text } = await buyer.activate();
      expect([response.status, text]).toEqual([402, expect.any(String)]);
      const required = decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "");
      return await Promise.all(
        Array.from({ length: count }, async () => {
          const { header, payload } = await wallet.sign(required);
          const { signature } = payload.payload as { signature: string };
          secrets[`payment ${Object.keys(secrets).length}`] = header;
          secrets[`signature ${Object.keys(secrets).length}`] = signature.slice(2);
          return header;
        }),
      );
    },

    async status(): Promise<Status> {
      const status = JSON.parse((await ask(place(), { headers: bearer(requireIntent()) })).text) as Status;
      if (status.api_key !== undefined) secrets["key"] = status.api_key;
      return status;
    },

    async until(status: string): Promise<Status> {
      let last: Status = { status: "" };
      const look = async () => {
        last = await buyer.status();
        return last.status;
      };
      await expect.poll(look, POLLING).toBe(status);
      return last;
    },

    /** What the key of an active trial is answered with. */
    readGrant: async (key = ""): Promise<unknown> =>
      JSON.parse((await ask("/api/v1/agent/trial", { headers: { "x-api-key": key } })).text),
  };
  return buyer;
}

export type TrialBuyer = ReturnType<typeof createTrialBuyer>;
