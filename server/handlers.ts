import { MOUNTED } from "@/app/api/mounted";
import { API_TABLE } from "@/app/api/table";
import { requestNames } from "@/lib/interfaces/http/server/listener";

/** Everything that is answered ahead of the pages. */
export const HANDLERS = [...API_TABLE, ...MOUNTED];

/** By which the figures tell requests apart. */
export const REQUEST_NAMES = requestNames(HANDLERS);
