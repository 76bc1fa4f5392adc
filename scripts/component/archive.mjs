import { buffer } from "node:stream/consumers";

import { pack } from "tar-stream";

import { compressGzip } from "./compress.mjs";

/**
 * Creates a reproducible tar archive in npm's layout: fixed entry order, no times or owners.
 *
 * @param {Record<string, string | Buffer>} files
 */
export const packArchive = async (files) => {
  const archive = pack();
  for (const [name, content] of Object.entries(files))
    archive.entry({ name: `package/${name}`, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0 }, content);
  archive.finalize();
  return compressGzip(await buffer(archive));
};
