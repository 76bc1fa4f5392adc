import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { isSampleFile, type SampleFile, SAMPLES } from "./domain/samples";

const SAMPLE_FOLDER = "examples/quickstart";

/** A line with only a link to a sample, also in a list, is replaced by the sample. */
const SAMPLE_LINK = /^(?:- )?\[[^\]]+\]\(\.\.\/examples\/quickstart\/([\w.-]+)\)$/gm;

/** The text of a sample, with its placeholders. */
export const readSampleSource = (file: SampleFile): Promise<string> =>
  readFile(join(process.cwd(), SAMPLE_FOLDER, file), "utf8");

const fenceOf = (file: SampleFile, code: string): string => {
  const { name, language } = SAMPLES[file];
  return `\`\`\`${language} title="${name}"\n${code.trimEnd()}\n\`\`\`\n`;
};

/**
 * A document of `docs/` with its samples inserted and its placeholders kept.
 *
 * @throws Error when it links an unknown sample
 */
export async function readDocumentSource(file: string): Promise<string> {
  const markdown = await readFile(join(process.cwd(), "docs", file), "utf8");
  const named = [...markdown.matchAll(SAMPLE_LINK)].map(([, sample = ""]) => sample);
  const fences = new Map<string, string>();
  for (const sample of named) {
    if (!isSampleFile(sample)) throw new Error(`docs/${file} links the unknown sample ${sample}`);
    fences.set(sample, fenceOf(sample, await readSampleSource(sample)));
  }
  return markdown.replaceAll(SAMPLE_LINK, (_line, sample: string) => fences.get(sample) ?? "");
}
