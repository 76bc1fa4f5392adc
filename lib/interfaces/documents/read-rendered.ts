import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { baseUrl, bundleFolder } from "@/lib/platform/env";
import { fillIn, type SampleFile } from "./domain/samples";

/** A block of code and the HTML that colours it. */
export type Code = { title: string; code: string; html: string };

/** What a document consists of, top to bottom. */
export type Part = { kind: "html"; html: string } | { kind: "code"; codes: Code[] };

/** Everything that the build renders. */
export type Rendered = {
  documents: Record<string, Part[]>;
  samples: Record<SampleFile, Code>;
  mcpClients: Code[];
  errors: Record<string, { cause: string; remedy: string }>;
  operations: string;
};

/** The file that the build writes, below its folder of bundles. */
const RENDERED_FILE = "documents/documents.json";

async function readFilledIn(): Promise<Rendered> {
  const file = join(process.cwd(), bundleFolder(), RENDERED_FILE);
  // The address is normalised: it contains no character that JSON or HTML would have to escape.
  const text = fillIn(await readFile(file, "utf8"), { baseUrl: baseUrl() });
  return JSON.parse(text) as Rendered; // safe: written by the same build
}

let reading: Promise<Rendered> | undefined;

/** What the build has rendered, with the address of this service filled in; read once in a process. */
export async function readRendered(): Promise<Rendered> {
  reading ??= readFilledIn();
  try {
    return await reading;
  } catch (error) {
    reading = undefined;
    throw error;
  }
}
