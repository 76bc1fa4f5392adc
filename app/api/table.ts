import { createApiTable } from "@/lib/http/api-table";
import { GET as readReport } from "./v1/fingerprint/report/[imprint]/route";
import { POST as issueChallenge } from "./v1/imprints/challenge/route";
import { POST as submitImprint } from "./v1/imprints/route";

/** Every route of the public API, as the server entry mounts them ahead of Next's router. */
export const API_TABLE = createApiTable([issueChallenge, submitImprint, readReport]);
