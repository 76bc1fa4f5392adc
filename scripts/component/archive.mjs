import { buffer } from "node:stream/consumers";

import { pack } from "tar-stream";

import { compressGzip } from "./compress.mjs";

/** A tar archive in the layout of npm, its entries in a fixed order and without times or owners. @param {Record<string, string | Buffer>} files */
export const packArchive = async (files) => {
  const archive = pack();
  for (const [name, content] of Object.entries(files))
    archive.entry({ name: `package/${name}`, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0 }, content);
  archive.finalize();
  return compressGzip(await buffer(archive));
};
