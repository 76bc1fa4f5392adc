import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The text of a source, with its validators for the next conditional request. */
export type Source = { url: string; text: string; etag?: string; lastModified?: string };

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function download(url: string, known: Omit<Source, "text"> | undefined): Promise<Source | "unchanged"> {
  const headers = {
    ...(known?.etag !== undefined && { "If-None-Match": known.etag }),
    ...(known?.lastModified !== undefined && { "If-Modified-Since": known.lastModified }),
  };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 304 && known) return "unchanged";
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  const text = await readBody(response);
  const [etag, lastModified] = [response.headers.get("etag"), response.headers.get("last-modified")];
  return { url, text, ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) };
}

async function readSource(url: string): Promise<Source> {
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  if ((await stat(path)).size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES / 1024 / 1024} MB`);
  return { url, text: await readFile(path, "utf8") };
}

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  // fetch() only says "fetch failed"; the actual reason is in its cause.
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
};

/**
 * Reads a source: an http or https URL, a `file:` URL or a path. Returns `unchanged` if the server confirms that the
 * version in `known` is current.
 *
 * @throws Error that names the source
 */
export async function fetchSource(url: string, known?: Omit<Source, "text">): Promise<Source | "unchanged"> {
  try {
    return await (/^https?:/.test(url) ? download(url, known) : readSource(url));
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(reason.includes(url) ? reason : `${url}: ${reason}`, { cause });
  }
}
