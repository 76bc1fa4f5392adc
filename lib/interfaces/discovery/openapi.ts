import { buildOpenApiDocument } from "@/lib/contract/openapi";
import type { Product } from "@/lib/contract/product";
import { activateIntentOperation } from "@/lib/contract/trial";

/**
 * What the paid operation costs now. Without a price it cannot be bought now. Amounts are atomic units of the asset
 * that `currency` names; the terms that count are those of the 402 answer.
 */
const describePayment = (price: Product["price"]) => ({
  ...(price && { price: { mode: "fixed", amount: price.amount_atomic, currency: price.asset } }),
  protocols: [
    { x402: { version: 2, scheme: "exact", ...(price && { network: price.network, pay_to: price.pay_to }) } },
  ],
});

/** The OpenAPI document as the service stands now: its own address, and the price of what is sold. */
export function composeOpenApi(product: Product | undefined, baseUrl: string) {
  const document = buildOpenApiDocument();
  const operation = document.paths?.[activateIntentOperation.path]?.post;
  if (!operation) throw new Error("the OpenAPI document lacks the paid operation");
  Object.assign(operation, { "x-payment-info": describePayment(product?.price) });
  return { ...document, servers: [{ url: baseUrl }] };
}
