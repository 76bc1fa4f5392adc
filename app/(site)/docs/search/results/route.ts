import { readSections } from "../../search-index";
import { findPlaces } from "../../_components/search";

/** Results for the search dialog while someone types: at most eight sections. */
export async function GET(request: Request): Promise<Response> {
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 200);
  return Response.json(findPlaces(await readSections(), query));
}
