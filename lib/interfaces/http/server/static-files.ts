import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { IMMUTABLE, type MemoryFile, sendFile } from "./component-files";

const CONTENT_TYPES: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".ico": "image/x-icon",
  ".png": "image/png",
};
const COMPRESSED = new Set([".js", ".css", ".json", ".svg"]);
const compress = promisify(gzip);

async function load(file: string): Promise<MemoryFile> {
  const plain = await readFile(file);
  const type = extname(file);
  return {
    contentType: CONTENT_TYPES[type] ?? "application/octet-stream",
    cacheControl: IMMUTABLE,
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 24)}"`,
    plain,
    encoded: COMPRESSED.has(type) ? { gzip: await compress(plain) } : {},
  };
}

/**
 * Serves the pages' scripts, styles and fonts from memory: a page loads dozens of them, and forwarding each to another
 * process is not worth it. Returns false for a path that was not one of them at startup.
 *
 * @param folder `static` in Next's build output; each name contains a hash of the contents
 */
export function openStaticFiles(folder: string) {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const known = new Map(names.map((name) => [`/_next/static/${name.replaceAll(sep, "/")}`, join(folder, name)]));
  const loaded = new Map<string, Promise<MemoryFile>>();
  return async (req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> => {
    const file = known.get(path);
    if (file === undefined || extname(file) === "") return false;
    const loading = loaded.get(path) ?? load(file);
    loaded.set(path, loading);
    try {
      sendFile(req, res, await loading);
      return true;
    } catch {
      loaded.delete(path); // removed by a build since startup
      return false;
    }
  };
}
