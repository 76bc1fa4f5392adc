import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { baseUrl, bundleFolder } from "@/lib/platform/env";
import { onceUnlessFailed } from "@/lib/platform/share-runs";
import { fillIn, type SampleFile } from "./domain/samples";

/** A block of code, with its highlighted HTML. */
export type Code = { title: string; code: string; html: string };

/** Part of a document. */
export type Part = { kind: "html"; html: string } | { kind: "code"; codes: Code[] };

/** Everything that the build has rendered. */
export type Rendered = {
  documents: Record<string, Part[]>;
  samples: Record<SampleFile, Code>;
  mcpClients: Code[];
  errors: Record<string, { cause: string; remedy: string }>;
  operations: string;
};

/** File written by the build, below its bundle folder. */
const RENDERED_FILE = "documents/documents.json";

/** Reads what the build has rendered, with this service's URL filled in; once per process. */
export const readRendered = onceUnlessFailed(async (): Promise<Rendered> => {
  const file = join(process.cwd(), bundleFolder(), RENDERED_FILE);
  // The URL is normalised, so it contains no characters that need escaping in JSON or HTML.
  const text = fillIn(await readFile(file, "utf8"), { baseUrl: baseUrl() });
  return JSON.parse(text) as Rendered; // safe: written by the same build
});
