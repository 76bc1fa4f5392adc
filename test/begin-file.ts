import { afterEach } from "vitest";

import { publishSecrets } from "@/lib/platform/secrets";
import { describeOpenPages } from "./open-pages";
import { TEST_SECRETS } from "./secrets";

// Whatever the file before this one published in the process of their worker.
publishSecrets(TEST_SECRETS);
Reflect.deleteProperty(globalThis, Symbol.for("imprint.network"));

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const shown = await describeOpenPages();
  if (shown !== "") process.stderr.write(`\nWhen "${task.name}" failed:\n${shown}\n`);
});
