import { isWorker } from "@/lib/operations/worker-pool";
import { env } from "@/lib/platform/env";
import { startAlone } from "./server/alone";
import { run } from "./server/lifecycle";
import { startPrimary } from "./server/primary";
import { isDevelopment } from "./server/settings";
import { startWorker } from "./server/worker";

function chooseStart() {
  if (isWorker()) return startWorker;
  return env.WORKERS > 1 && !isDevelopment ? startPrimary : startAlone;
}

run(chooseStart());
