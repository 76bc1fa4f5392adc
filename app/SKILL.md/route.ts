import { readSkill } from "@/lib/interfaces/discovery";

export const dynamic = "force-dynamic";

/** What coding assistants read before they integrate. */
export async function GET(): Promise<Response> {
  return new Response(await readSkill(), {
    headers: {
      "Content-Type": "text/markdown; charset=utf-8",
      "Cache-Control": "public, max-age=60",
      "Access-Control-Allow-Origin": "*",
    },
  });
}
