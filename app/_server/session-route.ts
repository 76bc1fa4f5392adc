import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import type { Context } from "@/lib/platform/context";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import type { SignedIn } from "@/lib/tenancy/sign-in";
import { pageReader } from "./recent-write";
import { textStream } from "./text-stream";
import { currentActor, requestFacts, requestId, requestOperation } from "./page";

const NO_STORE = { "Cache-Control": "private, no-store" };

type SessionContext = Context & { actor: SignedIn };
type Props<Params> = { params: Promise<Params> };

/** Without a byte order mark, Excel reads CSV in the system's code page: `São Paulo` becomes `SÃ£o Paulo`. */
const BYTE_ORDER_MARK = "\u{feff}";

type FileType = "text/csv" | "text/html" | "application/json";

const opening = (type: FileType): string => (type === "text/csv" ? BYTE_ORDER_MARK : "");

const asFile = (name: string, type: FileType, body: string | ReadableStream<Uint8Array>): Response =>
  new Response(body, {
    headers: { "Content-Type": `${type}; charset=utf-8`, "Content-Disposition": `attachment; filename="${name}"` },
  });

/** A response that the browser saves as a file. */
export const fileAnswer = (name: string, type: FileType, text: string): Response =>
  asFile(name, type, opening(type) + text);

/**
 * The parts of a file. Next prints the error that ends a stream, and that of a failed query contains its parameters. So
 * the error goes to our log, which redacts them, and the stream ends with a plain one.
 */
async function* partsOf(type: FileType, parts: AsyncGenerator<string, void>, id: string | undefined) {
  yield opening(type);
  try {
    yield* parts;
  } catch (error) {
    log.error({ err: error, requestId: id }, "a file broke off");
    throw new Error(`The file of request ${id ?? "unknown"} could not be read to its end`);
  }
}

/** A response that the browser saves as a file; parts are read at the client's speed. */
export const streamedFile = (
  { requestId: id }: Pick<Context, "requestId">,
  name: string,
  type: FileType,
  parts: AsyncGenerator<string, void>,
): Response => asFile(name, type, textStream(partsOf(type, parts, id)));

/**
 * Defines a GET route of the Console for signed-in people, which calls one verb. Errors use the API's envelope, and
 * responses are not cached.
 */
export function defineSessionRoute<Params>(
  read: (context: SessionContext, params: Params, query: URLSearchParams) => Promise<Response>,
) {
  return async (request: Request, { params }: Props<Params>): Promise<Response> => {
    let answer: Response;
    const id = await requestId();
    try {
      const actor = await currentActor();
      if (!actor) throw new AppError("auth_failed");
      const context = { db: database(), reader: await pageReader(), now: now(), actor, ...(await requestFacts()) };
      answer = await read(context, await params, new URL(request.url).searchParams);
    } catch (error) {
      const code = isAppError(error) ? error.code : "internal_error";
      if (ERRORS[code].status >= 500)
        log.error(
          { err: error, operation: await requestOperation(), requestId: id },
          "a page's data could not be read",
        );
      answer = Response.json(
        { error: { code, message: isAppError(error) ? error.message : ERRORS[code].message } },
        { status: ERRORS[code].status },
      );
    }
    for (const [name, value] of Object.entries(NO_STORE)) answer.headers.set(name, value);
    return answer;
  };
}
