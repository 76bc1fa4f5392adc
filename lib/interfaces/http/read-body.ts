import type { IncomingMessage } from "node:http";

import { AppError } from "@/lib/contract/errors";
import { isStorableValue, mayHideUnstorable, unstorable } from "@/lib/platform/storable";

const brokenOff = (cause?: unknown) =>
  new AppError("invalid_request", { message: "The request body broke off", cause });

function refuseAnnounced(contentLength: string | null | undefined, limitBytes: number): void {
  if (Number(contentLength ?? "0") > limitBytes) throw new AppError("payload_too_large");
}

function decode(chunks: readonly Uint8Array[], contentEncoding: string | null | undefined): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    const message = contentEncoding
      ? "The request body is compressed: send it as it is, without Content-Encoding"
      : "The request body is not UTF-8";
    throw new AppError("invalid_request", { message, cause });
  }
}

/**
 * Reads the body as text and enforces the limit while it arrives.
 *
 * @throws AppError `payload_too_large` beyond `limitBytes`
 * @throws AppError `invalid_request` when the body ends early or is not UTF-8
 */
export async function readBody(request: Request, limitBytes: number): Promise<string> {
  refuseAnnounced(request.headers.get("content-length"), limitBytes);
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
    throw brokenOff(cause);
  }
  if (size > limitBytes) throw new AppError("payload_too_large");
  return decode(chunks, request.headers.get("content-encoding"));
}

/** Collects the chunks of a request body. When it is too large, the rest is left unread. */
const collectChunks = (req: IncomingMessage, limitBytes: number): Promise<Uint8Array[]> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const take = (chunk: Uint8Array) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limitBytes) return;
      req.off("data", take);
      req.pause();
      reject(new AppError("payload_too_large"));
    };
    req.on("data", take);
    req.once("end", () => {
      resolve(chunks);
    });
    req.once("error", (cause) => {
      reject(brokenOff(cause));
    });
    req.once("close", () => {
      if (!req.readableEnded) reject(brokenOff());
    });
  });

/**
 * `readBody` for a socket; synchronous for methods without a body.
 *
 * @throws AppError `payload_too_large`, `invalid_request`
 */
export function readSocketBody(req: IncomingMessage, limitBytes: number): string | Promise<string> {
  refuseAnnounced(req.headers["content-length"], limitBytes);
  if (req.method === "GET" || req.method === "HEAD") return "";
  if (req.destroyed) throw brokenOff();
  return collectChunks(req, limitBytes).then((chunks) => decode(chunks, req.headers["content-encoding"]));
}

const MAX_JSON_DEPTH = 20;

/** An object or array of JSON. */
const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** By key: listing the values would make an array for each object of the body. */
function isDepthWithin(value: unknown, levels: number): boolean {
  if (!isNested(value)) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((inner) => isDepthWithin(inner, levels - 1));
  for (const key in value) if (!isDepthWithin(value[key], levels - 1)) return false;
  return true;
}

/** @throws AppError `invalid_request` for a value that is nested more deeply than any valid message */
export function refuseDeep(value: unknown): void {
  if (!isDepthWithin(value, MAX_JSON_DEPTH))
    throw new AppError("invalid_request", { message: "The request body is nested too deeply" });
}

/** @throws AppError `invalid_request` */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_request", { message: "The request body is not JSON", cause });
  }
  refuseDeep(value);
  if (mayHideUnstorable(text) && !isStorableValue(value)) throw unstorable("The request body");
  return value;
}
