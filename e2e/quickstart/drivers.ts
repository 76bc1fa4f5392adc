import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import {
  fillIn,
  type RequestLanguage,
  requestSample,
  type SampleFile,
  samplePath,
  type SampleRequest,
} from "@/lib/interfaces/documents";
import { installServerPackage } from "@/scripts/server-package/install.mjs";
import { ROOT } from "../process/service";

const run = promisify(execFile);

/** Path of a program that the test run has found or installed. */
const program = (variable: string, name: string): string => process.env[variable] ?? name;

/** A sample with a service's URL and an environment id filled in. */
export const filledSample = (file: SampleFile, baseUrl: string, environmentId?: string): string =>
  fillIn(readFileSync(join(ROOT, "examples", samplePath(file)), "utf8"), { baseUrl, environmentId });

/** The page's origin in the samples. */
export const WRITTEN_ORIGIN = "http://localhost:8080";

/** Outcome of a sample for an imprint: the verdict, or why there is none. */
export type Outcome = { status: string | null; problem: string | null };

const NODE_DRIVER = `import { acceptSignIn } from "./report.mjs";
const outcomes = [];
for (const imprint of JSON.parse(process.argv[2])) {
  const { accepted, report, reason } = await acceptSignIn(imprint);
  outcomes.push({ status: accepted ? report.risk.status : null, problem: reason ?? null });
}
console.log(JSON.stringify(outcomes));`;

const PYTHON_DRIVER = `import json, sys
from report import accept_sign_in
outcomes = []
for imprint in json.loads(sys.argv[1]):
    visit = accept_sign_in(imprint)
    accepted = visit.accepted
    outcomes.append({
        "status": visit.report["risk"]["status"] if accepted else None,
        "problem": None if accepted else visit.reason,
    })
print(json.dumps(outcomes), file=sys.stdout)`;

const PHP_DRIVER = `<?php
require "report.php";
$outcomes = [];
foreach (json_decode($argv[1]) as $imprint) {
    [$report, $problem] = readReport($imprint);
    $outcomes[] = ["status" => $report["risk"]["status"] ?? null, "problem" => $problem];
}
echo json_encode($outcomes), PHP_EOL;`;

const GO_DRIVER = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"quickstart/imprint"
)

type outcome struct {
	Status  *string \`json:"status"\`
	Problem *string \`json:"problem"\`
}

func main() {
	var imprints []string
	if err := json.Unmarshal([]byte(os.Args[1]), &imprints); err != nil {
		panic(err)
	}
	outcomes := []outcome{}
	for _, each := range imprints {
		report, problem := imprint.ReadReport(each)
		found := outcome{}
		if report != nil {
			found.Status = &report.Risk.Status
		}
		if problem != "" {
			found.Problem = &problem
		}
		outcomes = append(outcomes, found)
	}
	text, _ := json.Marshal(outcomes)
	fmt.Println(string(text))
}
`;

/** Names of problems in samples that use the package, and in those that read the Report themselves. */
const WORDS = {
  package: {
    again: "already_used",
    unknown: "not_found",
    key: "misconfigured",
    malformed: "malformed",
    missing: "missing",
    away: "unavailable",
  },
  plain: {
    again: null,
    unknown: "report_not_found",
    key: "auth_failed",
    malformed: "no_imprint",
    missing: "no_imprint",
    away: "unreachable",
  },
};

type Language = {
  sample: SampleFile;
  words: (typeof WORDS)[keyof typeof WORDS];
  /** Installs the package next to the sample. */
  install?: (folder: string) => Promise<unknown>;
  /** Files of the program by path, including the sample. */
  files: (sample: string) => Record<string, string>;
  /** Compiles the program, once. */
  prepare?: readonly [command: string, ...args: string[]];
  command: readonly [command: string, ...args: string[]];
};

export const LANGUAGES: Record<string, Language> = {
  Node: {
    sample: "report.mjs",
    words: WORDS.package,
    install: installServerPackage,
    files: (sample) => ({ "report.mjs": sample, "driver.mjs": NODE_DRIVER }),
    command: [process.execPath, "driver.mjs"],
  },
  Python: {
    sample: "report.py",
    words: WORDS.package,
    install: (folder) =>
      copyFile(join(ROOT, "packages/server/python/imprint_server.py"), join(folder, "imprint_server.py")),
    files: (sample) => ({ "report.py": sample, "driver.py": PYTHON_DRIVER }),
    command: [program("PYTHON", "python3"), "driver.py"],
  },
  Go: {
    sample: "report.go",
    words: WORDS.plain,
    files: (sample) => ({
      "go.mod": "module quickstart\n\ngo 1.19\n",
      "main.go": GO_DRIVER,
      "imprint/report.go": sample,
    }),
    prepare: [program("GO", "go"), "build", "-o", "driver", "."],
    command: ["./driver"],
  },
  PHP: {
    sample: "report.php",
    words: WORDS.plain,
    files: (sample) => ({ "report.php": sample, "driver.php": PHP_DRIVER }),
    command: [program("PHP", "php"), "driver.php"],
  },
};

export function makeFolder(files: Record<string, string>): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "imprint-sample-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads Reports with a sample configured for a service. */
export async function readBySample(
  { sample, files, install, prepare, command: [file, ...args] }: Language,
  service: { url: string; apiKey: string; origin: string },
  imprints: readonly unknown[],
): Promise<Outcome[]> {
  const text = filledSample(sample, service.url).replaceAll(WRITTEN_ORIGIN, service.origin);
  const { folder, remove } = makeFolder(files(text));
  const options = { cwd: folder, env: { ...process.env, IMPRINT_KEY: service.apiKey } };
  try {
    await install?.(folder);
    if (prepare) await run(prepare[0], prepare.slice(1), options);
    const { stdout } = await run(file, [...args, JSON.stringify(imprints)], options);
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Outcome[];
  } finally {
    remove();
  }
}

/** Runs the curl sample; returns its exit code and output. */
export async function runCurlSample(service: { url: string; apiKey: string }, imprint: string) {
  const { folder, remove } = makeFolder({ "report.sh": filledSample("report.sh", service.url) });
  const env = { ...process.env, IMPRINT: imprint, IMPRINT_KEY: service.apiKey };
  try {
    const { stdout } = await run("bash", ["report.sh"], { cwd: folder, env });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  } finally {
    remove();
  }
}

type Program = { file: string; command: readonly [command: string, ...args: string[]] };

/** How to run a single-file program in each language. */
const REQUEST_PROGRAMS: Record<RequestLanguage, Program> = {
  curl: { file: "request.sh", command: ["bash", "request.sh"] },
  Node: { file: "request.mjs", command: [process.execPath, "request.mjs"] },
  Python: { file: "request.py", command: [program("PYTHON", "python3"), "request.py"] },
  Go: { file: "request.go", command: [program("GO", "go"), "run", "request.go"] },
  PHP: { file: "request.php", command: [program("PHP", "php"), "request.php"] },
};

/** Runs an API reference sample against a service; returns the response it prints. */
export async function runRequestSample(
  language: RequestLanguage,
  request: SampleRequest,
  { url, credentials }: { url: string; credentials: Record<string, string> },
): Promise<unknown> {
  const { file, command } = REQUEST_PROGRAMS[language];
  const { folder, remove } = makeFolder({ [file]: fillIn(requestSample(language, request), { baseUrl: url }) });
  try {
    const env = { ...process.env, ...credentials };
    const { stdout } = await run(command[0], command.slice(1), { cwd: folder, env });
    return JSON.parse(stdout) as unknown;
  } finally {
    remove();
  }
}
