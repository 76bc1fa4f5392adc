import { buildLayout } from "../build/layout.mjs";
import { startFreshService } from "../demo/fresh-service.mjs";
import { runAdmin } from "../demo/processes.mjs";
import { startSandbox } from "../sandbox/sandbox";
import { collectErrors } from "./log-lines";
import { runFuzz, type Summary } from "./run";
import { type Operator, ORIGIN, openWorld } from "./world";

type Options = {
  seed: number;
  requests: number;
  /** Number of the first request. */
  from: number;
  /** A service that runs already, whose database this environment names; without it one is started. */
  url: string | undefined;
  /** The environment of the service and of its operator's commands. */
  env: NodeJS.ProcessEnv;
  onProgress: (text: string) => void;
};

/** The command line of operators, beside the service. */
function operatorBy(env: NodeJS.ProcessEnv): Operator {
  const admin = async (...args: string[]) => (await runAdmin(args, env)) as Record<string, string>;
  return {
    async createSite(plan) {
      const { workspace_id: workspaceId = "" } = await admin("workspace", "create", "--name", "Fuzz", "--plan", plan);
      const app = await admin("web-app", "create", "--workspace", workspaceId, "--name", "Shop", "--origin", ORIGIN);
      const { web_app_id: webAppId = "", environment_id: environmentId = "", api_key: apiKey = "" } = app;
      return { workspaceId, webAppId, environmentId, apiKey };
    },
    addMember: (workspaceId, email, role) =>
      admin("member", "add", "--workspace", workspaceId, "--email", email, "--role", role),
    loginLink: async (email) => (await admin("login-link", "--email", email))["url"] ?? "",
  };
}

/** Connected clients: each may ask ten times a second. */
const CLIENTS = 6;

/** Fuzzes a service of its own, or the one that is named, and says what was wrong with its answers. */
export async function fuzz({ seed, requests, from, url, env, onProgress }: Options): Promise<Summary> {
  const undo: (() => unknown)[] = [];
  const errors = collectErrors();
  try {
    const sandbox = url === undefined ? await startSandbox() : undefined;
    if (sandbox) undo.push(() => sandbox.close());
    onProgress("Starting the service");
    const variables: NodeJS.ProcessEnv = {
      ...env,
      ...sandbox?.variables,
      TRUSTED_PROXIES: "loopback",
      LOG_LEVEL: "error",
    };
    const service = url === undefined ? await startFreshService({ say: errors.read, undo, variables }) : { url, env };
    onProgress("Making sites, visits, people and connected clients");
    const world = await openWorld({
      base: service.url.replace(/\/$/, ""),
      operator: operatorBy(service.env),
      sandbox,
      clients: CLIENTS,
      pagesFolder: buildLayout().pages,
    });
    const summary = await runFuzz(world, { seed, requests, from, onProgress, onAnswer: errors.name });
    return errors.addTo(summary);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
