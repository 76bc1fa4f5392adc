import { readSkill } from "@/lib/interfaces/discovery";

export const dynamic = "force-dynamic";

/** Instructions for coding assistants. */
export async function GET(): Promise<Response> {
  return new Response(await readSkill(), {
    headers: {
      "Content-Type": "text/markdown; charset=utf-8",
      "Cache-Control": "public, max-age=60",
      "Access-Control-Allow-Origin": "*",
    },
  });
}
