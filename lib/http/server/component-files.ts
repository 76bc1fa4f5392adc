import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";

type Encoding = "br" | "gzip";
type File = {
  contentType: string;
  cacheControl: string;
  etag: string;
  plain: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
};
type Manifest = { files: Record<string, { integrity: string; isImmutable: boolean }> };

const CONTENT_TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".ts": "text/plain; charset=utf-8",
  ".tgz": "application/gzip",
};
const IMMUTABLE = "public, max-age=31536000, immutable";
/** Sites that embed the moving file get a new version within the hour. */
const REVALIDATED = "public, max-age=3600, stale-while-revalidate=86400";

function readOptional(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

function loadFiles(folder: string): Map<string, File> {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
  const entries = Object.entries(manifest.files).map(([name, { integrity, isImmutable }]): [string, File] => {
    const [br, gzip] = [readOptional(join(folder, `${name}.br`)), readOptional(join(folder, `${name}.gz`))];
    const file = {
      contentType: CONTENT_TYPES[extname(name)] ?? "application/octet-stream",
      cacheControl: isImmutable ? IMMUTABLE : REVALIDATED,
      etag: `"${integrity.slice(-24)}"`,
      plain: readFileSync(join(folder, name)),
      encoded: { ...(br && { br }), ...(gzip && { gzip }) },
    };
    return [`/v1/${name}`, file];
  });
  return new Map(entries);
}

/** The best encoding that the client accepts; `q=0` refuses one. Source: RFC 9110, section 12.5.3. */
function chooseEncoding(header: string | string[] | undefined, file: File): Encoding | undefined {
  const accepted = new Set(
    String(header ?? "")
      .split(",")
      .map((part) =>
        part
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/),
      )
      .filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? ""))
      .map(([name]) => name),
  );
  return (["br", "gzip"] as const).find((name) => file.encoded[name] && accepted.has(name));
}

function send(req: IncomingMessage, res: ServerResponse, file: File): void {
  const encoding = chooseEncoding(req.headers["accept-encoding"], file);
  const body = (encoding && file.encoded[encoding]) ?? file.plain;
  res.setHeader("Content-Type", file.contentType);
  res.setHeader("Cache-Control", file.cacheControl);
  res.setHeader("Vary", "Accept-Encoding");
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  const etag = encoding ? `${file.etag.slice(0, -1)}-${encoding}"` : file.etag;
  res.setHeader("ETag", etag);
  if (req.headers["if-none-match"] === etag) {
    res.writeHead(304);
    res.end();
    return;
  }
  if (encoding) res.setHeader("Content-Encoding", encoding);
  res.writeHead(200, { "Content-Length": body.length });
  res.end(req.method === "HEAD" ? undefined : body);
}

/**
 * Serves the browser component from memory, in the encodings that were made ahead. Answers false for a path that
 * is none of its files.
 *
 * @param folder the built files with their `manifest.json`; absent before the first build of the component
 */
export function openComponentFiles(
  folder: string,
): (req: IncomingMessage, res: ServerResponse, path: string) => boolean {
  const files = existsSync(join(folder, "manifest.json")) ? loadFiles(folder) : new Map<string, File>();
  return (req, res, path) => {
    const file = files.get(path);
    if (!file) return false;
    send(req, res, file);
    return true;
  };
}
