import { NextRequest } from "next/server";

import { baseUrl } from "@/lib/platform/env";
import { decodeCookie } from "@/lib/platform/decode-cookie";
import { returnPath } from "@/lib/tenancy/sign-in";
import { handlers } from "@/app/_server/auth";

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
function readable(request: NextRequest): NextRequest {
  const url = new URL(request.url);
  const asked = url.searchParams.get(CALLBACK);
  if (asked !== null) url.searchParams.set(CALLBACK, baseUrl() + returnPath(baseUrl(), asked));
  const made = new NextRequest(url, request);
  made.headers.set("cookie", readableCookies(request.headers.get("cookie") ?? ""));
  return made;
}

/** next-auth's own endpoints, for identity providers and programs that request a link. */
export const answerGet = (request: NextRequest): Promise<Response> => handlers.GET(readable(request));
export const answerPost = (request: NextRequest): Promise<Response> => handlers.POST(readable(request));
