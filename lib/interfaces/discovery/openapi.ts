import { buildOpenApiDocument } from "@/lib/contract/openapi";
import type { Product } from "@/lib/contract/product";
import { activateIntentOperation } from "@/lib/contract/trial";

/**
 * The current price of the paid operation, absent while it is not on sale. Amounts are atomic units of the asset in
 * `currency`; the terms of the 402 answer take precedence.
 */
const describePayment = (price: Product["price"]) => ({
  ...(price && { price: { mode: "fixed", amount: price.amount_atomic, currency: price.asset } }),
  protocols: [
    { x402: { version: 2, scheme: "exact", ...(price && { network: price.network, pay_to: price.pay_to }) } },
  ],
});

/** The OpenAPI document with the address of this service and the current price. */
export function composeOpenApi(product: Product | undefined, baseUrl: string) {
  const document = buildOpenApiDocument();
  const operation = document.paths?.[activateIntentOperation.path]?.post;
  if (!operation) throw new Error("the OpenAPI document lacks the paid operation");
  Object.assign(operation, { "x-payment-info": describePayment(product?.price) });
  return { ...document, servers: [{ url: baseUrl }] };
}
