import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import { forgetInstallation } from "./scripts/test/installation.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));
const FOLDERS = ["app", "components", "lib", "db", "packages", "scripts", "test", "e2e"];
/** Matches code that changes the whole process (its cluster, modules or environment) or measures its heap. */
const CHANGES_ITS_PROCESS = /setupPrimary|readHeldBytes|vi\.(mock|doMock|resetModules|stubEnv)\(/;

/** Tests of browsers and whole services, and unit tests. */
const KINDS = { browser: /(\.browser\.test\.tsx?|\.spec\.ts)$/, unit: /(?<!\.browser|\.cluster)\.test\.tsx?$/ };

/** Tests that need a cluster; they run only if one is given. */
const CLUSTER = /\.cluster\.test\.ts$/;

/** Matches a timeout of minutes: such files take longest in their kind. */
const ASKS_FOR_TIME = /timeout: \d{3}_000/;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
);
const needsOwnProcess = (file: string) => CHANGES_ITS_PROCESS.test(readFileSync(join(root, file), "utf8"));

forgetInstallation();

/** Vite sets BASE_URL to `/` for its own use, which the service would take for its base URL. */
const env = { BASE_URL: "", LOG_LEVEL: "silent" };

const shared = {
  resolve: { alias: { "@": root } },
  oxc: { jsx: { runtime: "automatic" as const } },
};

/** Things that normally happen instantly can take seconds on a machine busy with three files. */
const POLL = { poll: { timeout: 15_000 } };

const TIMEOUTS = {
  browser: { testTimeout: 240_000, hookTimeout: 240_000, expect: POLL },
  unit: { testTimeout: 60_000, hookTimeout: 60_000, expect: POLL },
};

/** Files of a worker share its process, so that imports are loaded once, except files that change the process. */
function projectsOf(kind: keyof typeof KINDS) {
  const tests = files.filter((file) => KINDS[kind].test(file));
  const project = { env, ...TIMEOUTS[kind], setupFiles: ["test/begin-file.ts"] };
  return [
    {
      ...shared,
      test: {
        ...project,
        name: kind,
        include: tests.filter((file) => !needsOwnProcess(file)),
        isolate: false,
      },
    },
    { ...shared, test: { ...project, name: `${kind}, alone`, include: tests.filter(needsOwnProcess) } },
  ];
}

/** Longest first: started last, one of its files would keep a single core busy. */
const ORDER = ["browser, alone", "browser", "unit, alone", "unit"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * ORDER.indexOf(project.name) + (ASKS_FOR_TIME.test(readFileSync(moduleId, "utf8")) ? 0 : 1);
    const ranks = new Map(sorted.map((file) => [file, rank(file)]));
    return sorted.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  }
}

/**
 * Tests for a given database (`npm test -- --database URL`): the contract's traffic, the hot statements, the counts that
 * links are learnt from, metering, Account Map, purchases and permissions. Each file creates its own rows, because all
 * share the database.
 */
const ON_GIVEN_DATABASE = [
  "lib/contract/traffic.test.ts",
  "lib/visits/submissions/submit-imprint.test.ts",
  "lib/visits/visit-store/queries-population.test.ts",
  "lib/visits/submissions/replays.test.ts",
  "lib/visits/submissions/store-together.test.ts",
  "lib/visits/submissions/signed-visitor.test.ts",
  "lib/visits/reports/deliver-report.test.ts",
  "lib/visits/reports/acceptance.test.ts",
  "lib/visits/reports/account-map.test.ts",
  "lib/visits/account-map/account-map.test.ts",
  "lib/visits/history/read-history.test.ts",
  "lib/visits/slices/explore.test.ts",
  "lib/visits/slices/slices.test.ts",
  "lib/metering/meter-delivery.test.ts",
  "lib/metering/read-usage.test.ts",
  "lib/trials/metering.test.ts",
  "lib/trials/purchase.test.ts",
  "lib/trials/buy-trial.test.ts",
  "lib/trials/kills.test.ts",
  "lib/tenancy/api-keys/authenticate-api-key.test.ts",
  "lib/tenancy/api-keys/key-uses.test.ts",
  "lib/tenancy/web-apps/web-apps.test.ts",
  "lib/platform/limits/take-permit.test.ts",
  "lib/operations/admin/permission-matrix.test.ts",
];

const givenDatabase = {
  ...shared,
  test: {
    env,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    name: "database",
    include: [
      ...ON_GIVEN_DATABASE,
      ...(process.env["IMPRINT_TEST_CLUSTER"] === "true" ? files.filter((file) => CLUSTER.test(file)) : []),
    ],
    setupFiles: ["test/begin-file.ts"],
  },
};
const isDatabaseGiven = process.env["IMPRINT_TEST_DATABASE"] !== undefined;

export default defineConfig({
  resolve: shared.resolve,
  test: {
    globalSetup: "e2e/test-server.ts",
    pool: "forks",
    // Files that share one database run sequentially, because some exhaust limits of the whole instance.
    maxWorkers: isDatabaseGiven ? 1 : 3,
    sequence: { sequencer: LongestFirst },
    projects: isDatabaseGiven ? [givenDatabase] : [...projectsOf("browser"), ...projectsOf("unit")],
  },
});
