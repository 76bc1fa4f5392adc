import { afterEach } from "vitest";

import { publishSecrets } from "@/lib/platform/secrets";
import { sharedState } from "@/lib/platform/shared-state";
import { describeOpenPages } from "./open-pages";
import { TEST_SECRETS } from "./secrets";

// Overwrites whatever the previous file published in the worker's process.
publishSecrets(TEST_SECRETS);
sharedState("network").value = undefined;

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const shown = await describeOpenPages();
  if (shown !== "") process.stderr.write(`\nWhen "${task.name}" failed:\n${shown}\n`);
});
