type Sample = { name: string; language: string; folder?: string };

/** Default folder of a sample below `examples`. */
const SAMPLE_FOLDER = "quickstart";

/**
 * The code samples. Each is a file below `examples` that tests run and that documents and pages show. `language` is its
 * name in Markdown fences; `name` is the block's title and unique.
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
  "webhook.mjs": { name: "webhook.mjs", language: "javascript" },
  "webhooks.json": { name: "webhooks.json", language: "json" },
  "preview-origin.sh": { name: "preview-origin.sh", language: "bash" },
  "label.sh": { name: "label.sh", language: "bash" },
  "labels.csv": { name: "labels.csv", language: "text" },
  "candidate.json": { name: "candidate.json", language: "json" },
  "agents.json": { name: "agents.json", language: "json" },
  "page.mjs": { name: "page.mjs", language: "javascript", folder: "sites" },
  "express.mjs": { name: "Express", language: "javascript", folder: "sites" },
  "fastify.mjs": { name: "Fastify", language: "javascript", folder: "sites" },
  "hono.mjs": { name: "Hono", language: "javascript", folder: "sites" },
  "page.tsx": { name: "app/page.tsx", language: "tsx", folder: "next/app" },
  "actions.ts": { name: "app/actions.ts", language: "typescript", folder: "next/app" },
  "route.ts": { name: "app/sign-in/route.ts", language: "typescript", folder: "next/app/sign-in" },
  "sign-in.mjs": { name: "sign-in.mjs", language: "javascript", folder: "actions" },
  "registration.mjs": { name: "registration.mjs", language: "javascript", folder: "actions" },
  "payment.mjs": { name: "payment.mjs", language: "javascript", folder: "actions" },
  "password-reset.mjs": { name: "password-reset.mjs", language: "javascript", folder: "actions" },
  "buy-trial.mjs": { name: "buy-trial.mjs", language: "javascript", folder: "agent" },
  "actions.test.mjs": { name: "actions.test.mjs", language: "javascript", folder: "actions" },
} as const satisfies Record<string, Sample>;

export type SampleFile = keyof typeof SAMPLES;

/** The samples for a page and for a server, in display order. */
export const PAGE_SAMPLES = ["sign-in.html", "sign-in-esm.html", "sign-in.tsx"] as const satisfies SampleFile[];
export const SERVER_SAMPLES = [
  "report.sh",
  "report.mjs",
  "report.py",
  "report.go",
  "report.php",
] as const satisfies SampleFile[];

/** The path of a sample below `examples`. */
export const samplePath = (file: SampleFile): string => {
  const { folder = SAMPLE_FOLDER }: Sample = SAMPLES[file];
  return `${folder}/${file}`;
};

export const isSampleFile = (file: string): file is SampleFile => Object.hasOwn(SAMPLES, file);

/** Placeholders in samples and documents for the values of an installation. */
export const PLACEHOLDERS = { baseUrl: "https://imprint.example.com", environmentId: "env_…" } as const;

type Values = { baseUrl: string; environmentId?: string | undefined };

/** Replaces placeholders by this installation's values; for HTML the values must be escaped. */
export function fillIn(text: string, { baseUrl, environmentId }: Values): string {
  const filled = text.replaceAll(PLACEHOLDERS.baseUrl, () => baseUrl).replaceAll("{{base_url}}", () => baseUrl);
  return environmentId === undefined ? filled : filled.replaceAll(PLACEHOLDERS.environmentId, () => environmentId);
}
