import { fstatSync, writeSync } from "node:fs";

import type { Output } from "@/lib/operations/backup";

/** Node's own stream for files takes a write that a full disk cut short for a whole one. */
function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}

/** Standard output, whose writes are promises that reject unless everything was written. */
export function openStandardOutput(): Output {
  const { stdout } = process;
  // The error of each write counts; without a handler, it would also end the process.
  stdout.on("error", () => undefined);
  const isFile = fstatSync(stdout.fd).isFile();
  return {
    isTTY: stdout.isTTY,
    columns: stdout.columns,
    write: (text) =>
      new Promise<void>((resolve, reject) => {
        if (isFile) {
          writeWhole(stdout.fd, text);
          resolve();
        } else {
          stdout.write(text, (error) => {
            if (error) reject(error);
            else resolve();
          });
        }
      }),
  };
}
