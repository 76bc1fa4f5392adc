import { composeDidDocument } from "@/lib/trials";

export const dynamic = "force-dynamic";

/** The keys that sign offers and receipts. Source: did:web, section 3.2. */
export function GET(): Response {
  return Response.json(composeDidDocument(), {
    headers: {
      "Content-Type": "application/did+json",
      "Cache-Control": "public, max-age=60",
      "Access-Control-Allow-Origin": "*",
    },
  });
}
