import { API_TABLE } from "@/app/api/table";
import { handleApiRequest } from "@/lib/interfaces/http/api-table";

/** Reached only under `next start`: the server entry answers from the same table before Next. */
const answer = (request: Request): Promise<Response> => handleApiRequest(API_TABLE, request);

export { answer as DELETE, answer as GET, answer as POST, answer as PUT };
