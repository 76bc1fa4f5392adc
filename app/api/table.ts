import { createApiTable } from "@/lib/interfaces/http/api-table";
import { GET as listProducts } from "./v1/agent/products/route";
import { GET as readTrialGrant } from "./v1/agent/trial/route";
import { POST as activateTrialIntent } from "./v1/agent/trial-intents/[intentId]/activate/route";
import { GET as readTrialIntent } from "./v1/agent/trial-intents/[intentId]/route";
import { POST as createTrialIntent } from "./v1/agent/trial-intents/route";
import { GET as readHistory } from "./v1/fingerprint/imprint/[imprint]/history/route";
import { GET as readReport } from "./v1/fingerprint/report/[imprint]/route";
import { POST as issueChallenge } from "./v1/imprints/challenge/route";
import { POST as readProxyKey } from "./v1/imprints/proxy-key/route";
import { POST as submitImprint } from "./v1/imprints/route";

/** Every route of the public API, as the server entry mounts them ahead of Next's router. */
export const API_TABLE = createApiTable([
  issueChallenge,
  submitImprint,
  readProxyKey,
  readReport,
  readHistory,
  listProducts,
  createTrialIntent,
  activateTrialIntent,
  readTrialIntent,
  readTrialGrant,
]);
