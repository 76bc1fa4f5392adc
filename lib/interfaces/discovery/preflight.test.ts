import {
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  getL3ForOpenAPI,
  getOpenAPI,
  getWarningsFor402Body,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForOpenAPI,
} from "@agentcash/discovery";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import {
  isValidServiceName,
  sanitizeResourceServiceMetadata,
  validateAndExtract,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from "@x402/extensions/bazaar";
import { expect, test, vi } from "vitest";

import { listProducts } from "@/lib/trials";
import { composeChallenge } from "@/lib/trials/payments";
import { decimalPriceUnder } from "@/lib/trials/payments/describe-amount";
import { createTestDatabase } from "@/test/database";
import { testTerms } from "@/test/payments";
import { composeOpenApi } from "./openapi";

const ORIGIN = "https://imprint.example";
const RESOURCE = `${ORIGIN}/api/v1/agent/trial`;
/** USDC on Base, because indexes list only resources of networks that they know. */
const terms = testTerms({
  X402_NETWORK: "eip155:8453",
  X402_ASSET: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  X402_TOKEN_NAME: undefined,
  X402_TOKEN_VERSION: undefined,
  X402_FACILITATOR_URL: "https://facilitator.example",
  X402_RPC_URL: "https://rpc.example",
});
const challenge = await composeChallenge(terms, { resource: RESOURCE });

const severe = (warnings: readonly { severity: string; code: string; message: string }[]) =>
  warnings.filter(({ severity }) => severity !== "info").map(({ code, message }) => `${code}: ${message}`);

function* wordsOf(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield key;
    yield* wordsOf(inner);
  }
}

test("x402scan: its validator accepts the challenge", () => {
  expect(severe(getWarningsFor402Body(decodePaymentRequiredHeader(challenge.header)))).toEqual([]);
});

test("x402scan: its audit accepts the OpenAPI document and reads the price from it", async () => {
  const { db } = await createTestDatabase();
  const [unpriced] = (await listProducts({ db })).products;
  if (!unpriced) throw new Error("the catalog is empty");
  const product = { ...unpriced, available: true, price: terms.quote };
  const document = composeOpenApi({ product, price: decimalPriceUnder({}, terms.quote) }, ORIGIN);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(document)));
  const source = await getOpenAPI(ORIGIN).unwrapOr(null);
  vi.unstubAllGlobals();
  expect(severe(getWarningsForOpenAPI(source))).toEqual([]);
  if (!source || !("routes" in source)) throw new Error("the document was not read");
  const routes = checkL2ForOpenAPI(source);
  // The audit does not support Bearer credentials, which other operations use.
  const warnings = getWarningsForL2(routes).filter(({ code }) => code !== "L2_AUTH_MODE_MISSING");
  expect(severe(warnings)).toEqual([]);
  expect(routes.routes.filter(({ authMode }) => authMode?.includes("paid"))).toMatchObject([
    {
      path: "/api/v1/agent/trial",
      method: "POST",
      authMode: "paid",
      price: "1 USD",
      currency: "USD",
      protocols: ["x402"],
    },
  ]);
  const operation = getL3ForOpenAPI(source, "/api/v1/agent/trial", "POST");
  expect(severe(getWarningsForL3(operation))).toEqual([]);
  expect(operation).toMatchObject({ authMode: "paid", inputSchema: expect.any(Object) as object });
  expect(severe(getWarningsForL4(checkL4ForOpenAPI(source)))).toEqual([]);
});

/** Source: the documentation of CDP, "Validate an x402 endpoint" and "Get discovered". */
test("Bazaar: the challenge parses, has the extension with a valid example, and a short description", () => {
  const { body } = challenge;
  expect(PaymentRequiredV2Schema.parse(body)).toEqual(body);
  expect(body.resource.url).toMatch(/^https:/);
  expect(body.resource.description?.length).toBeLessThanOrEqual(500);
  const bazaar = body.extensions?.["bazaar"] as Parameters<typeof validateDiscoveryExtension>[0];
  expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
  expect(validateDiscoveryExtensionSpec({ ...bazaar })).toEqual({ valid: true });
  expect(validateAndExtract(bazaar)).toMatchObject({
    valid: true,
    info: { input: { type: "http", method: "POST", body: { origin: expect.any(String) as string } } },
  });
  expect(new Set(wordsOf(bazaar.schema))).not.toContain("$ref");
  expect(new Set(wordsOf(bazaar.schema))).not.toContain("$id");
  expect(isValidServiceName(body.resource.serviceName ?? "")).toBe(true);
  const { serviceName, tags } = body.resource;
  expect(sanitizeResourceServiceMetadata(body.resource)).toMatchObject({ serviceName, tags });
});

test("the challenge header leaves room for what a client sends back with it", () => {
  expect(challenge.header.length).toBeLessThan(5_000);
});
