import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = fileURLToPath(new URL(".", import.meta.url));
const BROWSER_TESTS = ["{app,components,lib,db,scripts}/**/*.browser.test.{ts,tsx}", "e2e/**/*.spec.ts"];

/** Vite sets BASE_URL to `/` for its own use, which the service would read as an address. */
const env = { BASE_URL: "", LOG_LEVEL: "silent" };

const shared = {
  resolve: { alias: { "@": root } },
  oxc: { jsx: { runtime: "automatic" as const } },
};

/** Files that start browsers and services take longest: begun last, one of them would keep a single core busy. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ project }: TestSpecification) => project.name === "browser";
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: shared.resolve,
  test: {
    globalSetup: "e2e/test-server.ts",
    pool: "forks",
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          env,
          include: ["{app,components,lib,db,scripts}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.browser.test.*", "**/node_modules/**"],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: "browser",
          env,
          include: BROWSER_TESTS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
