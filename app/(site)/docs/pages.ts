import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { baseUrl } from "@/lib/env";

/** The Markdown pages that integrators see, by path below `/docs`. A file that is not named here is never served. */
export const DOC_PAGES = [
  {
    slug: "quickstart",
    file: "quickstart.md",
    title: "Quickstart",
    summary: "From an empty page to a first Report in three steps.",
  },
  {
    slug: "component",
    file: "component.md",
    title: "Browser component",
    summary: "Options, failures, proxying, content security policy.",
  },
  {
    slug: "risk",
    file: "risk.md",
    title: "Risk rules",
    summary: "How verdicts are made, rule by rule, with sources.",
  },
] as const;

/** Pages whose content comes from the code. */
export const GENERATED_PAGES = [
  { slug: "reasons", title: "Reasons", summary: "What each finding means, and what else could explain it." },
  { slug: "api", title: "API reference", summary: "Every operation, field and status, from the contract itself." },
  { slug: "errors", title: "Errors", summary: "One page for each error code: cause and remedy." },
] as const;

/** The text of a file in `docs/`, with the address of this service filled in; nothing when it does not exist. */
export async function readDoc(file: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(process.cwd(), "docs", file), "utf8");
    return text.replaceAll("{{base_url}}", baseUrl());
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
