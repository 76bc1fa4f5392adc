import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

type Encoding = "br" | "gzip";
/** A file in memory, with its precompressed encodings. */
export type MemoryFile = {
  contentType: string;
  cacheControl: string;
  etag: string;
  plain: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
  /** `Vary` header, if the answer depends on more than `Accept-Encoding`. */
  vary?: string;
  /** URL of its source map, relative to the file. */
  sourceMap?: string | undefined;
};
type Entry = { contentType: string; integrity: string; isImmutable: boolean };
type Manifest = { files: Record<string, Entry> };

const MANIFEST = "manifest.json";
export const IMMUTABLE = "public, max-age=31536000, immutable";
/** Sites that embed the unversioned file get a new version within the hour. */
const REVALIDATED = "public, max-age=3600, stale-while-revalidate=86400";

function readOptional(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** Revalidated on every request: a cached copy could lack a release that is already served. */
const ASKED_EACH_TIME = "public, no-cache";

/** The manifest's entry for itself. Its hash is computed here, because the manifest cannot contain its own. */
const manifestEntry = (text: Buffer): Entry => ({
  contentType: "application/json; charset=utf-8",
  integrity: createHash("sha384").update(text).digest("base64"),
  isImmutable: false,
});

function loadFiles(folder: string): Map<string, MemoryFile> {
  const text = readFileSync(join(folder, MANIFEST));
  const manifest = JSON.parse(text.toString()) as Manifest;
  const loadFile = (name: string, { contentType, integrity, isImmutable }: Entry, cacheControl: string): MemoryFile => {
    const [br, gzip] = [readOptional(join(folder, `${name}.br`)), readOptional(join(folder, `${name}.gz`))];
    return {
      contentType,
      cacheControl: isImmutable ? IMMUTABLE : cacheControl,
      etag: `"${integrity.slice(-24)}"`,
      plain: readFileSync(join(folder, name)),
      encoded: { ...(br && { br }), ...(gzip && { gzip }) },
      sourceMap: Object.hasOwn(manifest.files, `${name}.map`) ? `${name}.map` : undefined,
    };
  };
  return new Map([
    [`/v1/${MANIFEST}`, loadFile(MANIFEST, manifestEntry(text), ASKED_EACH_TIME)],
    ...Object.entries(manifest.files).map(([name, entry]): [string, MemoryFile] => [
      `/v1/${name}`,
      loadFile(name, entry, REVALIDATED),
    ]),
  ]);
}

/** The best encoding that the client accepts; `q=0` excludes one. Source: RFC 9110, section 12.5.3. */
function chooseEncoding(header: string | string[] | undefined, file: MemoryFile): Encoding | undefined {
  const accepted = new Set(
    String(header ?? "")
      .split(",")
      .map((part) =>
        part
          .toLowerCase()
          .split(";")
          .map((word) => word.trim()),
      )
      .filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? ""))
      .map(([name]) => name),
  );
  return (["br", "gzip"] as const).find((name) => file.encoded[name] && accepted.has(name));
}

/**
 * Whether the client's copy has this tag. Weak tags count: a proxy that compresses an answer anew weakens its tag. Source:
 * RFC 9110, section 13.1.2.
 */
const isCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));

/** Sends a file that pages of any origin may load. */
export function sendSharedFile(req: IncomingMessage, res: ServerResponse, file: MemoryFile): void {
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  sendFile(req, res, file);
}

/** Sends a file in the best accepted encoding, or 304 if the client's copy is current. */
export function sendFile(req: IncomingMessage, res: ServerResponse, file: MemoryFile): void {
  const encoding = chooseEncoding(req.headers["accept-encoding"], file);
  const body = (encoding && file.encoded[encoding]) ?? file.plain;
  res.setHeader("Content-Type", file.contentType);
  res.setHeader("Cache-Control", file.cacheControl);
  res.setHeader("Vary", file.vary ?? "Accept-Encoding");
  const etag = encoding ? `${file.etag.slice(0, -1)}-${encoding}"` : file.etag;
  res.setHeader("ETag", etag);
  // A header, because a comment in the file would cost every visitor its bytes.
  if (file.sourceMap !== undefined) res.setHeader("SourceMap", file.sourceMap);
  if (isCurrent(req.headers["if-none-match"], etag)) {
    res.writeHead(304);
    res.end();
    return;
  }
  if (encoding) res.setHeader("Content-Encoding", encoding);
  res.writeHead(200, { "Content-Length": body.length });
  res.end(req.method === "HEAD" ? undefined : body);
}

/**
 * Serves the browser component from memory, precompressed. Returns false for a path that is not one of its files.
 *
 * @param folder the built files with their `manifest.json`; missing before the component is first built
 */
export function openComponentFiles(
  folder: string,
): (req: IncomingMessage, res: ServerResponse, path: string) => boolean {
  const files = existsSync(join(folder, MANIFEST)) ? loadFiles(folder) : new Map<string, MemoryFile>();
  return (req, res, path) => {
    const file = files.get(path);
    if (!file) return false;
    sendSharedFile(req, res, file);
    return true;
  };
}
