import { AppError } from "@/lib/errors";

/**
 * The body as text, counted while it arrives.
 *
 * @throws AppError payload_too_large beyond `limitBytes`
 * @throws AppError invalid_request when the body breaks off or is no UTF-8
 */
export async function readBody(request: Request, limitBytes: number): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > limitBytes) throw new AppError("payload_too_large");
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limitBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new AppError("invalid_request", { message: "The request body broke off", cause });
  }
  if (size > limitBytes) throw new AppError("payload_too_large");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new AppError("invalid_request", { message: "The request body is not UTF-8", cause });
  }
}

const MOST_JSON_DEPTH = 20;

function depthWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => depthWithin(inner, levels - 1));
}

/** @throws AppError invalid_request */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_request", { message: "The request body is not JSON", cause });
  }
  if (!depthWithin(value, MOST_JSON_DEPTH))
    throw new AppError("invalid_request", { message: "The request body is nested too deeply" });
  return value;
}
