import { createHash } from "node:crypto";

import type { Content } from "./manifest";

const NEWLINE = 0x0a;

/**
 * Counts and hashes the rows of one table as they pass. COPY ends each row with a newline and escapes newlines in
 * values.
 */
export function createContent() {
  const hash = createHash("sha256");
  const counted = { rows: 0, bytes: 0 };
  return {
    add(chunk: Buffer) {
      hash.update(chunk);
      counted.bytes += chunk.length;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) counted.rows += 1;
    },
    finish: (): Content => ({ ...counted, sha256: hash.digest("hex") }),
  };
}

export const sha256Of = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");
