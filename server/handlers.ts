import { MOUNTED } from "@/app/api/mounted";
import { API_TABLE } from "@/app/api/table";

/** Everything that is answered ahead of the pages. */
export const HANDLERS = [...API_TABLE, ...MOUNTED];
