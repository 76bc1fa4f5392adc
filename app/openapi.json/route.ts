import { database } from "@/db/client";
import { readOpenApi } from "@/lib/interfaces/discovery";

export const dynamic = "force-dynamic";

/** The OpenAPI 3.1 document, readable from any origin. The server entry serves it from memory ahead of Next. */
export async function GET(): Promise<Response> {
  return new Response(await readOpenApi({ db: database() }), {
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=60",
      "Access-Control-Allow-Origin": "*",
    },
  });
}
