import { database } from "@/db/client";
import { readLlmsText } from "@/lib/interfaces/discovery";

export const dynamic = "force-dynamic";

/** Index for language models. */
export async function GET(): Promise<Response> {
  return new Response(await readLlmsText({ db: database() }), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=60",
      "Access-Control-Allow-Origin": "*",
    },
  });
}
