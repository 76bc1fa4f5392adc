import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { isSampleFile, type SampleFile, samplePath, SAMPLES } from "./domain/samples";

/** A line that contains only a link to a sample, possibly as a list item, is replaced by the sample. */
const SAMPLE_LINK = /^(?:- )?\[[^\]]+\]\(\.\.\/examples\/((?:quickstart|sites|actions|next|agent)\/[\w./-]+)\)$/gm;

/** Reads a sample, with its placeholders. */
export const readSampleSource = (file: SampleFile): Promise<string> =>
  readFile(join(process.cwd(), "examples", samplePath(file)), "utf8");

const fenceOf = (file: SampleFile, code: string): string => {
  const { name, language } = SAMPLES[file];
  return `\`\`\`${language} title="${name}"\n${code.trimEnd()}\n\`\`\`\n`;
};

/**
 * Reads a document of `docs/` with its samples inserted and its placeholders kept.
 *
 * @throws Error if it links to an unknown sample
 */
export async function readDocumentSource(file: string): Promise<string> {
  const markdown = await readFile(join(process.cwd(), "docs", file), "utf8");
  const named = [...markdown.matchAll(SAMPLE_LINK)].map(([, path = ""]) => path);
  const fences = new Map<string, string>();
  for (const path of named) {
    const sample = path.slice(path.lastIndexOf("/") + 1);
    if (!isSampleFile(sample) || samplePath(sample) !== path)
      throw new Error(`docs/${file} links the unknown sample ${path}`);
    fences.set(path, fenceOf(sample, await readSampleSource(sample)));
  }
  return markdown.replaceAll(SAMPLE_LINK, (_line, path: string) => fences.get(path) ?? "");
}
