import { database } from "@/db/client";
import { readOpenApi } from "@/lib/discovery";

export const dynamic = "force-dynamic";

/** The OpenAPI 3.1 document, readable from anywhere. */
export async function GET(): Promise<Response> {
  return Response.json(await readOpenApi({ db: database() }), {
    headers: { "Cache-Control": "public, max-age=60", "Access-Control-Allow-Origin": "*" },
  });
}
