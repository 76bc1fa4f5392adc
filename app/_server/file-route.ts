import { cookies } from "next/headers";

import type { Context } from "@/lib/platform/context";
import { isAppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import { sessionCookie } from "@/lib/tenancy/sign-in";
import { authorize, type Permission } from "@/lib/tenancy/workspaces";
import { defineSessionRoute, type SessionContext } from "./session-route";
import { textStream } from "./text-stream";
import { requireStill, whilePermitted } from "./while-permitted";

/** Without a byte order mark, Excel reads CSV in the system's code page: `São Paulo` becomes `SÃ£o Paulo`. */
const BYTE_ORDER_MARK = "\u{feff}";

type FileType = "text/csv" | "text/html" | "application/json";

const opening = (type: FileType): string => (type === "text/csv" ? BYTE_ORDER_MARK : "");

const asFile = (name: string, type: FileType, body: string | ReadableStream<Uint8Array> | null): Response =>
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
    if (isAppError(error))
      log.warn({ code: error.code, requestId: id }, "a file broke off, as it is no longer permitted");
    else log.error({ err: error, requestId: id }, "a file broke off");
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

type SentFile = {
  name: string;
  type: FileType;
  /** Reads the file, which is recorded in the audit log; not called for HEAD. */
  open: () => Promise<string | AsyncGenerator<string, void>>;
};

/**
 * Defines a GET route of the Console that sends a file. A file sent in parts breaks off once the session or the
 * permission ends.
 */
export function defineFileRoute<Params extends { workspaceId: string }>(
  permission: Permission,
  describe: (context: SessionContext, params: Params, query: URLSearchParams) => SentFile | Promise<SentFile>,
) {
  return defineSessionRoute<Params>(async (context, params, query, method) => {
    const access = await authorize(context, params.workspaceId, permission);
    const { name, type, open } = await describe(context, params, query);
    if (method === "HEAD") return asFile(name, type, null);
    const content = await open();
    if (typeof content === "string") return fileAnswer(name, type, content);
    const sessionToken = (await cookies()).get(sessionCookie())?.value;
    const check = () => requireStill(context.db, { sessionToken, access, permission });
    return streamedFile(context, name, type, whilePermitted(content, check));
  });
}
