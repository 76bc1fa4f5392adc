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
/** Keeps polling below the rate limit of one client IP. */
const POLLING = { timeout: 60_000, interval: 150 };

export const bearer = ({ claim_token }: Pick<Intent, "claim_token">) => ({ authorization: `Bearer ${claim_token}` });

/**
 * A buyer of one trial over HTTP, with its own client IP, that signs and sends payments when told to.
 *
 * @param baseUrl current URL of the service, which may be restarted on another port
 */
export function createTrialBuyer(sandbox: Sandbox, baseUrl: () => string) {
  const account = sandbox.createAccount();
  const wallet = createBuyer(account);
  const address = anAddress();
  const funds = () => sandbox.chain.token.balanceOf(account.address);
  const before = funds();
  let intent: Intent | undefined;
  /** Secrets that may be in no log or row, and only in the response that hands them out. */
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
    /** Secrets in responses that must not contain them. */
    leaks: (): string[] =>
      answers.flatMap(({ asked, text }) =>
        leaksIn(text, secrets)
          .filter((name) => !(asked.endsWith("/trial-intents") && name.startsWith("claim token")))
          .filter((name) => !(asked === `GET ${place()}` && name === "key"))
          .map((name) => `${name} in ${asked}`),
      ),
    /** Number of payments signed. */
    signatures: wallet.signatures,
    /** Amount paid, in atomic units. */
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

    /** Signs a payment for the service's current challenge. */
    async sign(): Promise<string> {
      const [signature = ""] = await buyer.signMany(1);
      return signature;
    },

    /** Signs several different payments for one challenge. */
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

    /** The response to a request with the key of an active trial. */
    readGrant: async (key = ""): Promise<unknown> =>
      JSON.parse((await ask("/api/v1/agent/trial", { headers: { "x-api-key": key } })).text),
  };
  return buyer;
}

export type TrialBuyer = ReturnType<typeof createTrialBuyer>;
