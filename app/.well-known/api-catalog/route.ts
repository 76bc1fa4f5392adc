import { API_CATALOG_LINK } from "@/lib/contract/product";
import { API_CATALOG_TYPE, readApiCatalog } from "@/lib/interfaces/discovery";

export const dynamic = "force-dynamic";

/** The API catalog of RFC 9727. A HEAD response carries the link, as its section 2 requires. */
export async function GET(): Promise<Response> {
  return new Response(JSON.stringify(await readApiCatalog()), {
    headers: {
      "Content-Type": API_CATALOG_TYPE,
      "Cache-Control": "public, max-age=60",
      "Access-Control-Allow-Origin": "*",
      Link: API_CATALOG_LINK,
    },
  });
}
