/**
 * The code samples. Each is a file of `examples/quickstart`, which tests run against the service; documents and pages
 * show that file. `language` is the name that fences of Markdown use.
 */
export const SAMPLES = {
  "sign-in.html": { name: "Script tag", language: "html" },
  "sign-in-esm.html": { name: "ESM", language: "html" },
  "sign-in.tsx": { name: "React", language: "tsx" },
  "report.sh": { name: "curl", language: "bash" },
  "report.mjs": { name: "Node", language: "javascript" },
  "report.py": { name: "Python", language: "python" },
  "report.go": { name: "Go", language: "go" },
  "report.php": { name: "PHP", language: "php" },
  "server.mjs": { name: "server.mjs", language: "javascript" },
  "agents.json": { name: "agents.json", language: "json" },
} as const;

export type SampleFile = keyof typeof SAMPLES;

/** The samples of a page, and those of a server, in the order in which they are shown. */
export const PAGE_SAMPLES = ["sign-in.html", "sign-in-esm.html", "sign-in.tsx"] as const satisfies SampleFile[];
export const SERVER_SAMPLES = [
  "report.sh",
  "report.mjs",
  "report.py",
  "report.go",
  "report.php",
] as const satisfies SampleFile[];

export const isSampleFile = (file: string): file is SampleFile => Object.hasOwn(SAMPLES, file);

/** Placeholders in samples and documents for the values of an installation. */
export const PLACEHOLDERS = { baseUrl: "https://imprint.example.com", environmentId: "env_…" } as const;

type Values = { baseUrl: string; environmentId?: string | undefined };

/** Replaces the placeholders by values of this installation; for HTML the values have to be escaped. */
export function fillIn(text: string, { baseUrl, environmentId }: Values): string {
  const filled = text.replaceAll(PLACEHOLDERS.baseUrl, () => baseUrl).replaceAll("{{base_url}}", () => baseUrl);
  return environmentId === undefined ? filled : filled.replaceAll(PLACEHOLDERS.environmentId, () => environmentId);
}
