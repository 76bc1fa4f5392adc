import { afterEach } from "vitest";

import { publishSecrets } from "@/lib/platform/secrets";
import { describeOpenPages } from "./open-pages";
import { TEST_SECRETS } from "./secrets";

// Overwrites whatever the previous file published in the worker's process.
publishSecrets(TEST_SECRETS);
Reflect.deleteProperty(globalThis, Symbol.for("imprint.network"));

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const shown = await describeOpenPages();
  if (shown !== "") process.stderr.write(`\nWhen "${task.name}" failed:\n${shown}\n`);
});
