import { buildLayout } from "../build/layout.mjs";
import { ensureBuilt } from "../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../common/command";
import { adminTexts, environmentWith, runAdmin, useTestBuild } from "../common/processes";
import { printOutcome } from "../common/report";
import { startFreshService } from "../common/service";
import { MANAGEMENT_SCOPES } from "@/lib/contract/manage";
import { startSandbox } from "../sandbox/sandbox";
import { createFixtures, type Operator, ORIGIN } from "./fixtures";
import { collectErrors } from "./log-lines";
import { type Finding, runFuzz, type Summary } from "./run";
import { createSiteBy } from "../common/site";

const MIN_REQUESTS = 20_000;
const MAX_REQUESTS = 1_000_000;
/** Number of connected clients: each may send ten requests per second. */
const CLIENTS = 6;

/** Operator actions through the command line, next to the running service. */
const operatorBy = (env: NodeJS.ProcessEnv): Operator => ({
  createSite: (plan) => createSiteBy((...args) => runAdmin(args, env), { workspace: "Fuzz", plan, origin: ORIGIN }),
  async addMember(workspaceId, email, role) {
    const add = ["member", "add", "--workspace", workspaceId, "--email", email, "--role", role];
    return (await adminTexts(add, env, "user_id")).user_id;
  },
  loginLink: async (email) => (await adminTexts(["login-link", "--email", email], env, "url")).url,
  async createManagementKey(workspaceId) {
    const scopes = MANAGEMENT_SCOPES.flatMap((scope) => ["--scope", scope]);
    const create = ["management-key", "create", "--workspace", workspaceId, "--name", "CI", ...scopes];
    return (await adminTexts(create, env, "management_key")).management_key;
  },
});

type Options = { seed: number; requests: number; from: number; url: string | undefined };

/** Fuzzes a new service, or the one at `url`, and reports faulty answers. */
async function fuzz({ url, ...options }: Options, cleanUp: CleanUp): Promise<Summary> {
  const errors = collectErrors();
  const sandbox = url === undefined ? await startSandbox() : undefined;
  if (sandbox) cleanUp.push(() => sandbox.close());
  progress("Starting the service");
  const variables = { ...sandbox?.variables, TRUSTED_PROXIES: "loopback", LOG_LEVEL: "error" };
  const service =
    url === undefined
      ? await startFreshService({ log: errors.read, cleanUp, variables })
      : { url, env: environmentWith({}) };
  progress("Creating sites, visits, people and connected clients");
  const fixtures = await createFixtures({
    base: service.url.replace(/\/$/, ""),
    operator: operatorBy(service.env),
    sandbox,
    clients: CLIENTS,
    pagesFolder: buildLayout().pages,
  });
  return errors.addTo(await runFuzz(fixtures, { ...options, onProgress: progress, onAnswer: errors.name }));
}

const histogram = (statuses: Readonly<Record<string, number>>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${status === "0" ? "none" : status} ${count}`)
    .join("  ");

const findingLines = ({ request, operation, status, faults, answer, curl }: Finding, seed: number): string[] => [
  "",
  `FOUND  ${operation}, status ${status}, request ${request} of seed ${seed}`,
  ...faults.map((fault) => `  ${fault}`),
  `  ${curl.slice(0, 4_000)}`,
  ...(answer === "" ? [] : [`  answered: ${JSON.stringify(answer)}`]),
  `  again: npm run fuzz -- --seed ${seed} --only ${request}`,
];

const linesOf = ({ rows, requests, seed, seconds, found, findings }: Summary): string[] => [
  ...rows.map(
    ({ operation, requests: count, statuses }) =>
      `${operation.padEnd(56)}${String(count).padStart(7)}  ${histogram(statuses)}`,
  ),
  "",
  `${requests} requests of seed ${seed} in ${seconds.toFixed(1)} s: ${found} findings`,
  ...findings.flatMap((finding) => findingLines(finding, seed)),
];

await runCommand({
  name: "fuzz",
  about:
    "Sends requests to every operation, MCP tool, page and form of a service that it starts on loopback with a temporary database. Requests are generated from the published document, with unexpected changes; every answer is checked against the document and against rules for all answers. Prints a table, and each finding with a command that resends it.",
  options: {
    requests: { type: "number", default: MIN_REQUESTS, about: `number of requests, at most ${MAX_REQUESTS}` },
    seed: { ...SEED_OPTION, about: "seed of the requests" },
    from: { type: "number", default: 0, min: 0, about: "number of the first request" },
    only: { type: "number", min: 0, about: "send only the request with this number" },
    url: {
      type: "string",
      value: "URL",
      about:
        "a service that is already running; its admin commands must work in this environment, and it should trust a loopback proxy (TRUSTED_PROXIES=loopback)",
    },
    json: JSON_OPTION,
    check: {
      ...CHECK_OPTION,
      about: `also exit with 1 if fewer than ${MIN_REQUESTS} requests were sent or an operation never succeeded`,
    },
  },
  async run(values, cleanUp) {
    useTestBuild();
    const { only, seed, url } = values;
    const requests = only === undefined ? Math.min(values.requests, MAX_REQUESTS) : 1;
    await ensureBuilt(["component", "bundles", "pages"], { say: progress });
    const summary = await fuzz({ seed, requests, from: only ?? values.from, url }, cleanUp);
    const tooFew = requests < MIN_REQUESTS ? [`${requests} requests, below ${MIN_REQUESTS}`] : [];
    const unreached = summary.unreached.map((name) => `${name} never succeeded`);
    return printOutcome(values, {
      isBroken: summary.found > 0,
      result: summary,
      misses: only === undefined ? [...tooFew, ...unreached] : [],
      lines: () => linesOf(summary),
    });
  },
});
