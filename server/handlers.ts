import { MOUNTED } from "@/app/api/mounted";
import { API_TABLE } from "@/app/api/table";
import { requestNames } from "@/lib/interfaces/http/server/listener";

/** Everything that is answered before pages are considered. */
export const HANDLERS = [...API_TABLE, ...MOUNTED];

/** The request names used in metrics. */
export const REQUEST_NAMES = requestNames(HANDLERS);
