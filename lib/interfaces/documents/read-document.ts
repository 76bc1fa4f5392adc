import { baseUrl } from "@/lib/platform/env";
import { fillIn, type SampleFile } from "./domain/samples";
import { readDocumentSource, readSampleSource } from "./read-source";
import { type Code, readRendered } from "./read-rendered";

const texts = new Map<string, Promise<string>>();

/** Caches a text for the lifetime of the process. Failures are not cached. */
function readOnce(name: string, read: () => Promise<string>): Promise<string> {
  const known = texts.get(name);
  if (known) return known;
  const reading = read().then((text) => fillIn(text, { baseUrl: baseUrl() }));
  texts.set(name, reading);
  reading.catch(() => texts.delete(name));
  return reading;
}

/** Reads a document of `docs/` as Markdown, with this service's URL filled in. */
export const readDocument = (file: string): Promise<string> => readOnce(`docs/${file}`, () => readDocumentSource(file));

/** Reads a sample, with this service's URL filled in. */
export const readSample = (file: SampleFile): Promise<string> => readOnce(file, () => readSampleSource(file));

/** Reads samples, with this service's URL and an environment id filled in. */
export async function readSamples(files: readonly SampleFile[], environmentId?: string): Promise<Code[]> {
  const { samples } = await readRendered();
  const fill = (text: string) => fillIn(text, { baseUrl: baseUrl(), environmentId });
  return files.map((file) => {
    const { title, code, html } = samples[file];
    return { title, code: fill(code), html: fill(html) };
  });
}
