import { API_CATALOG_LINK, listProductsOperation } from "@/lib/contract/product";
import { defineRoute, reply } from "@/lib/interfaces/http/define-route";
import { listProducts } from "@/lib/trials";

export const GET = defineRoute(listProductsOperation, async (ctx) =>
  reply(200, await listProducts(ctx), { Link: API_CATALOG_LINK }),
);
