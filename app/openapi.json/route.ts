import { buildOpenApiDocument } from "@/lib/contract/openapi";

/** The OpenAPI 3.1 document, readable from anywhere. */
export function GET(): Response {
  return Response.json(buildOpenApiDocument(), {
    headers: { "Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*" },
  });
}
