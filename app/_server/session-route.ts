import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import type { Context } from "@/lib/platform/context";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import type { SignedIn } from "@/lib/tenancy/sign-in";
import { downloadHref } from "./download";
import { pageReader } from "./recent-write";
import { currentActor, requestFacts, requestId, requestOperation } from "./page";

const NO_STORE = { "Cache-Control": "private, no-store" };

export type SessionContext = Context & { actor: SignedIn };
type Props<Params> = { params: Promise<Params> };

/** Whether a browser shows the answer as a page: scripts, programs and links that save a file do not ask for one. */
const isShownAsPage = ({ method, headers }: Request): boolean =>
  method === "GET" && (headers.get("accept") ?? "").includes("text/html");

/** Redirects to the page of a file, which leads to signing in, says why there is no file, and saves it. */
function downloadPage(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  return new Response(null, { status: 303, headers: { Location: downloadHref(pathname + search) } });
}

/**
 * Defines a GET route of the Console for signed-in people, which calls one verb. Errors use the API's envelope, or lead
 * people who opened the address itself to a page. Responses are not cached.
 */
export function defineSessionRoute<Params>(
  read: (context: SessionContext, params: Params, query: URLSearchParams, method: string) => Promise<Response>,
) {
  return async (request: Request, { params }: Props<Params>): Promise<Response> => {
    let answer: Response;
    const id = await requestId();
    try {
      const actor = await currentActor();
      if (!actor) throw new AppError("auth_failed");
      const context = { db: database(), reader: await pageReader(), now: now(), actor, ...(await requestFacts()) };
      answer = await read(context, await params, new URL(request.url).searchParams, request.method);
    } catch (error) {
      const code = isAppError(error) ? error.code : "internal_error";
      if (ERRORS[code].status >= 500)
        log.error(
          { err: error, operation: await requestOperation(), requestId: id },
          "a page's data could not be read",
        );
      answer = isShownAsPage(request)
        ? downloadPage(request)
        : Response.json(
            { error: { code, message: isAppError(error) ? error.message : ERRORS[code].message } },
            { status: ERRORS[code].status },
          );
    }
    for (const [name, value] of Object.entries(NO_STORE)) answer.headers.set(name, value);
    return answer;
  };
}
