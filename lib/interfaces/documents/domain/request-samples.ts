import type { Security } from "@/lib/contract/operation";
import { PLACEHOLDERS } from "./samples";

/** The request of a sample: an operation with the values of its example. */
export type SampleRequest = { method: string; path: string; security: Security; body?: unknown };

/** The languages of the quickstart, with their names in Markdown fences. */
export const REQUEST_LANGUAGES = {
  curl: "bash",
  Node: "javascript",
  Python: "python",
  Go: "go",
  PHP: "php",
} as const;
export type RequestLanguage = keyof typeof REQUEST_LANGUAGES;

type Credential = { header: string; prefix: string; variable: string };

const BEARER = { header: "Authorization", prefix: "Bearer " };
/** The header of each credential, and the environment variable that a server keeps it in. */
const CREDENTIALS: Record<Security, Credential | undefined> = {
  none: undefined,
  origin: undefined,
  purchase: undefined,
  apiKey: { header: "X-API-Key", prefix: "", variable: "IMPRINT_KEY" },
  claimToken: { ...BEARER, variable: "IMPRINT_CLAIM_TOKEN" },
  managementKey: { ...BEARER, variable: "IMPRINT_MANAGEMENT_KEY" },
};

const TIMEOUT_SECONDS = 5;
const addressOf = ({ path }: SampleRequest) => `${PLACEHOLDERS.baseUrl}${path}`;
const lines = (...all: readonly (string | false | undefined)[]) =>
  all.filter((line) => line !== false && line !== undefined).join("\n");
const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

function curl(request: SampleRequest): string {
  const credential = CREDENTIALS[request.security];
  const options = [
    "--silent --show-error --fail-with-body",
    `--max-time ${TIMEOUT_SECONDS}`,
    ...(request.method === "GET" ? [] : [`--request ${request.method}`]),
    ...(credential ? [`--header "${credential.header}: ${credential.prefix}$${credential.variable}"`] : []),
    // A single quote would end the shell string; JSON allows it as an escape.
    ...(request.body === undefined
      ? []
      : [
          '--header "Content-Type: application/json"',
          `--data '${JSON.stringify(request.body).replaceAll("'", String.raw`\u0027`)}'`,
        ]),
  ];
  return `curl ${options.join(" \\\n  ")} \\\n  "${addressOf(request)}"`;
}

function node(request: SampleRequest): string {
  const credential = CREDENTIALS[request.security];
  const { body, method } = request;
  const value = credential && `process.env.${credential.variable}`;
  return lines(
    `const response = await fetch("${addressOf(request)}", {`,
    method !== "GET" && `  method: "${method}",`,
    (credential !== undefined || body !== undefined) && "  headers: {",
    credential &&
      `    "${credential.header}": ${credential.prefix === "" ? value : `\`${credential.prefix}\${${value}}\``},`,
    body !== undefined && '    "Content-Type": "application/json",',
    (credential !== undefined || body !== undefined) && "  },",
    body !== undefined && `  body: JSON.stringify(${indented(JSON.stringify(body, undefined, 2), "  ")}),`,
    `  signal: AbortSignal.timeout(${TIMEOUT_SECONDS}_000),`,
    "});",
    "const answer = await response.json();",
    "if (!response.ok) throw new Error(answer.error?.code ?? `status ${response.status}`);",
    "console.log(JSON.stringify(answer));",
  );
}

function python(request: SampleRequest): string {
  const credential = CREDENTIALS[request.security];
  const { body, method } = request;
  const value = credential && `os.environ["${credential.variable}"]`;
  return lines(
    "import os",
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    "${addressOf(request)}",`,
    `    method="${method}",`,
    (credential !== undefined || body !== undefined) && "    headers={",
    credential &&
      `        "${credential.header}": ${credential.prefix === "" ? "" : `"${credential.prefix}" + `}${value},`,
    body !== undefined && '        "Content-Type": "application/json",',
    (credential !== undefined || body !== undefined) && "    },",
    body !== undefined && `    data=r"""${indented(JSON.stringify(body, undefined, 2), "    ")}""".encode(),`,
    ")",
    `with urllib.request.urlopen(request, timeout=${TIMEOUT_SECONDS}) as response:`,
    "    print(response.read().decode())",
  );
}

/** The body as a Go raw string literal. A backquote would end it; JSON allows it as an escape. */
const goText = (body: unknown) =>
  indented(JSON.stringify(body, undefined, 2), "\t").replaceAll("`", String.raw`\u0060`);

function go(request: SampleRequest): string {
  const credential = CREDENTIALS[request.security];
  const { body, method } = request;
  const value = credential && `os.Getenv("${credential.variable}")`;
  const imports = [
    "fmt",
    "io",
    "log",
    "net/http",
    ...(credential ? ["os"] : []),
    ...(body === undefined ? [] : ["strings"]),
  ];
  return lines(
    "package main",
    "",
    "import (",
    ...[...imports, "time"].map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    body !== undefined && `\tbody := strings.NewReader(\`${goText(body)}\`)`,
    `\trequest, err := http.NewRequest("${method}", "${addressOf(request)}", ${body === undefined ? "nil" : "body"})`,
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    credential &&
      `\trequest.Header.Set("${credential.header}", ${credential.prefix === "" ? "" : `"${credential.prefix}"+`}${value})`,
    body !== undefined && '\trequest.Header.Set("Content-Type", "application/json")',
    `\tclient := &http.Client{Timeout: ${TIMEOUT_SECONDS} * time.Second}`,
    "\tresponse, err := client.Do(request)",
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    "\tdefer response.Body.Close()",
    "\tanswer, err := io.ReadAll(response.Body)",
    "\tif err != nil || response.StatusCode >= 300 {",
    "\t\tlog.Fatal(response.Status, string(answer), err)",
    "\t}",
    "\tfmt.Println(string(answer))",
    "}",
  );
}

function php(request: SampleRequest): string {
  const credential = CREDENTIALS[request.security];
  const { body, method } = request;
  const headers = [
    ...(credential ? [`"${credential.header}: ${credential.prefix}" . getenv("${credential.variable}")`] : []),
    ...(body === undefined ? [] : ['"Content-Type: application/json"']),
  ];
  return lines(
    "<?php",
    "$options = [",
    `    "method" => "${method}",`,
    headers.length > 0 && `    "header" => [${headers.join(", ")}],`,
    // Backslashes and single quotes are escaped in a PHP string.
    body !== undefined &&
      `    "content" => '${JSON.stringify(body)
        .replaceAll("\\", String.raw`\\`)
        .replaceAll("'", String.raw`\'`)}',`,
    `    "timeout" => ${TIMEOUT_SECONDS},`,
    "];",
    `$answer = file_get_contents("${addressOf(request)}", false, stream_context_create(["http" => $options]));`,
    "if ($answer === false) {",
    '    exit("The request failed\\n");',
    "}",
    'echo $answer, "\\n";',
  );
}

const WRITERS: Record<RequestLanguage, (request: SampleRequest) => string> = {
  curl,
  Node: node,
  Python: python,
  Go: go,
  PHP: php,
};

/** Returns a complete program that sends a request and prints its answer. */
export const requestSample = (language: RequestLanguage, request: SampleRequest): string => WRITERS[language](request);
