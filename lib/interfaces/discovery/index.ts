import type { Context } from "@/lib/platform/context";
import type { Product } from "@/lib/contract/product";
import { readSample } from "@/lib/interfaces/documents";
import { baseUrl } from "@/lib/platform/env";
import { decimalPrice, listProducts } from "@/lib/trials";
import { isMcpOn } from "@/lib/interfaces/oauth";
import { composeApiCatalog } from "./api-catalog";
import { composeLlmsText } from "./llms";
import { composeOpenApi } from "./openapi";
import { composeSkill } from "./skill";

export { API_CATALOG_TYPE } from "./api-catalog";

/** Builds the API catalog, with the MCP server while that is on. */
export const readApiCatalog = async () => composeApiCatalog(await isMcpOn());

async function readProduct(context: Pick<Context, "db">): Promise<Product> {
  const [product] = (await listProducts(context)).products;
  if (!product) throw new Error("the catalog is empty");
  return product;
}

let cached: { price: string; text: string } | undefined;

/**
 * Returns the OpenAPI document with live addresses and prices; without the price while the database is unavailable.
 * Cached until the price changes, because building it takes as long as serving a hundred Reports.
 */
export async function readOpenApi(context: Pick<Context, "db">): Promise<string> {
  const product = await readProduct(context).catch(() => undefined);
  const price = JSON.stringify(product?.price ?? null);
  if (cached?.price !== price) {
    const offer = { product, price: product?.price && decimalPrice(product.price) };
    cached = { price, text: JSON.stringify(composeOpenApi(offer, baseUrl())) };
  }
  return cached.text;
}

/** Returns `/llms.txt` with live addresses and prices; without the price while the database is unavailable. */
export const readLlmsText = async (context: Pick<Context, "db">): Promise<string> =>
  composeLlmsText({
    product: await readProduct(context).catch(() => undefined),
    baseUrl: baseUrl(),
    isMcpOn: await isMcpOn(),
  });

/** Returns `/SKILL.md`. */
export async function readSkill(): Promise<string> {
  const [page, curl, server] = await Promise.all([
    readSample("sign-in.html"),
    readSample("report.sh"),
    readSample("report.mjs"),
  ]);
  return composeSkill({ baseUrl: baseUrl(), isMcpOn: await isMcpOn(), samples: { page, curl, server } });
}
