import type * as Files from "node:fs";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";

import { expect, onTestFinished, test, vi } from "vitest";

import { writeArchive } from "./archive-writer";
import type { Encryption } from "./encryption";

vi.mock("node:fs", async (original) => ({
  ...(await original<typeof Files>()),
  createWriteStream: () =>
    new Writable({
      write(_chunk, _encoding, done) {
        const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
          code: "ENOSPC",
          syscall: "write",
        });
        setImmediate(done, full);
      },
    }),
}));

test.each<Encryption>([{ kind: "none" }, { kind: "passphrase", passphrase: "correct horse" }])(
  "a backup ($kind) that fills its disk names the disk, and leaves no file",
  async (encryption) => {
    const folder = mkdtempSync(join(tmpdir(), "imprint-archive-"));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, "a.backup");
    const target = { file, encryption, signal: undefined, checkSpace: () => Promise.resolve() };
    const writing = writeArchive(target, async (archive) => {
      for (let entry = 0; entry < 100; entry += 1) await archive.add(`entry-${entry}`, "x".repeat(100_000));
    });
    await expect(writing).rejects.toMatchObject({
      code: "conflict",
      message: `The disk of ${folder} is full (ENOSPC): no backup was written, and nothing is left of it. Free space there, or choose another folder.`,
    });
    expect(readdirSync(folder)).toEqual([]);
  },
);
