import { NextRequest } from "next/server";

import { isAppError } from "@/lib/contract/errors";
import { readBody } from "@/lib/interfaces/http/read-body";
import { errorResponse } from "@/lib/interfaces/http/response";
import { baseUrl } from "@/lib/platform/env";
import { decodeCookie } from "@/lib/platform/decode-cookie";
import { returnPath } from "@/lib/tenancy/sign-in";
import { handlers } from "@/app/_server/auth";
import { requestId } from "@/app/_server/page";

/** An identity provider posts a code and a token or two. */
const MAX_BODY_BYTES = 64 * 1024;

const CALLBACK = "callbackUrl";
const CALLBACK_COOKIE = /^(__Secure-)?authjs\.callback-url=/;

const isAbsolute = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text);

/** The cookies, without an invalid return address. */
const readableCookies = (header: string): string =>
  header
    .split(/;\s*/)
    .filter((pair) => !CALLBACK_COOKIE.test(pair) || isAbsolute(decodeCookie(pair.replace(CALLBACK_COOKIE, ""))))
    .join("; ");

/** The request, without an invalid return address, which next-auth would report as a server error. */
function readable(request: NextRequest, body?: string): NextRequest {
  const url = new URL(request.url);
  const asked = url.searchParams.get(CALLBACK);
  if (asked !== null) url.searchParams.set(CALLBACK, baseUrl() + returnPath(baseUrl(), asked));
  const { method, headers } = request;
  const made = new NextRequest(url, { method, headers, ...(body === undefined ? {} : { body }) });
  made.headers.set("cookie", readableCookies(request.headers.get("cookie") ?? ""));
  return made;
}

/** next-auth's own endpoints, for identity providers and programs that request a link. */
export const answerGet = (request: NextRequest): Promise<Response> => handlers.GET(readable(request));

/** next-auth reads a body of any length into memory, from anybody. */
export async function answerPost(request: NextRequest): Promise<Response> {
  let body: string;
  try {
    body = await readBody(request, MAX_BODY_BYTES);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return errorResponse(error, await requestId(), {}, { operation: "sessionApi" });
  }
  return await handlers.POST(readable(request, body));
}
