import type { Configuration } from "oidc-provider";

import { guardedFetch, readBounded } from "@/lib/platform/guarded-fetch";
import { normaliseDocument } from "./domain/registration";

/** Source: draft-ietf-oauth-client-id-metadata-document-02, section 6.6: 5 kB is the recommended bound. */
const MAX_BYTES = 5 * 1024;

export type Fetch = NonNullable<Configuration["fetch"]>;

/**
 * Fetches a client's metadata document for the library. The library's dispatcher refuses special-use addresses after
 * connecting; `guardedFetch` refuses them before. Without the dispatcher nothing is fetched.
 */
export const fetchDocument: Fetch = async (url, options = {}) => {
  if (!("dispatcher" in options) || !options.dispatcher) throw new Error("no protected connection is available");
  return normalizeResponse(await guardedFetch(url instanceof Request ? url.url : url.toString(), options));
};

/** Normalises the document of a successful response. The library refuses other responses. */
export async function normalizeResponse(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const text = await readBounded(response, MAX_BYTES);
  const cacheControl = response.headers.get("cache-control");
  return new Response(normaliseDocument(text), {
    headers: {
      "content-type": "application/json",
      ...(cacheControl === null ? {} : { "cache-control": cacheControl }),
    },
  });
}
