import { buildOpenApiDocument } from "@/lib/contract/openapi";
import type { Product } from "@/lib/contract/product";
import { buyTrialOperation } from "@/lib/contract/trial-purchase";
import type { DecimalPrice } from "@/lib/trials";

type Offer = {
  product: Product | undefined;
  /** Undefined while the product is not on sale, or if the token's decimals are unknown. */
  price: DecimalPrice | undefined;
};

/**
 * Payment metadata for indexes of paid resources, with the price as a decimal amount. The terms in the 402 answer take
 * precedence. Source: the specification of `@agentcash/discovery`, section 7.
 */
const describePayment = ({ product, price }: Offer) => {
  const quote = product?.price;
  const terms = quote && {
    network: quote.network,
    asset: quote.asset,
    amount: quote.amount_atomic,
    pay_to: quote.pay_to,
  };
  return {
    ...(price && { price: { mode: "fixed", ...price } }),
    protocols: [{ x402: { version: 2, scheme: "exact", ...terms } }],
  };
};

const GUIDANCE =
  "To buy a trial, POST /api/v1/agent/trial with {origin, claim_token} through an official x402 version 2 client: origin is the site whose visits are judged, claim_token 32 random bytes of your own. Repeat the same call until it answers 200; it never pays twice. Then GET status_url with Authorization: Bearer claim_token for the environment id and the key.";

/** Builds the OpenAPI document with this service's address and current price. */
export function composeOpenApi(offer: Offer, baseUrl: string) {
  const { info, ...document } = buildOpenApiDocument();
  const operation = document.paths?.[buyTrialOperation.path]?.post;
  if (!operation) throw new Error("the OpenAPI document lacks the paid operation");
  Object.assign(operation, { "x-payment-info": describePayment(offer) });
  return {
    ...document,
    info: { ...info, "x-guidance": GUIDANCE },
    "x-agentcash-guidance": { llmsTxtUrl: `${baseUrl}/llms.txt` },
    servers: [{ url: baseUrl }],
  };
}
