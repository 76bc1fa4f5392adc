import { createApiTable } from "@/lib/interfaces/http/api-table";
import { GET as listProducts } from "./v1/agent/products/route";
import { GET as readTrialGrant, POST as buyTrial } from "./v1/agent/trial/route";
import { POST as activateTrialIntent } from "./v1/agent/trial-intents/[intentId]/activate/route";
import { GET as readTrialIntent } from "./v1/agent/trial-intents/[intentId]/route";
import { POST as createTrialIntent } from "./v1/agent/trial-intents/route";
import { GET as readHistory } from "./v1/fingerprint/imprint/[imprint]/history/route";
import { GET as readReport } from "./v1/fingerprint/report/[imprint]/route";
import { POST as setLabel } from "./v1/labels/route";
import { DELETE as revokeManagedKey } from "./v1/manage/keys/[keyId]/route";
import { POST as rotateManagedKey } from "./v1/manage/keys/[keyId]/rotate/route";
import { GET as listManagedKeys, POST as createManagedKey } from "./v1/manage/keys/route";
import { DELETE as removeManagedOrigin, PUT as addManagedOrigin } from "./v1/manage/web-apps/[webAppId]/origins/route";
import { PUT as updateManagedWebApp } from "./v1/manage/web-apps/[webAppId]/route";
import { GET as listManagedWebApps, POST as createManagedWebApp } from "./v1/manage/web-apps/route";
import { POST as issueChallenge } from "./v1/imprints/challenge/route";
import { POST as readProxyKey } from "./v1/imprints/proxy-key/route";
import { POST as submitImprint } from "./v1/imprints/route";

/** Every route of the public API, mounted by the server entry before Next's router. */
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
  buyTrial,
  listManagedWebApps,
  createManagedWebApp,
  updateManagedWebApp,
  addManagedOrigin,
  removeManagedOrigin,
  listManagedKeys,
  createManagedKey,
  rotateManagedKey,
  revokeManagedKey,
  setLabel,
]);
