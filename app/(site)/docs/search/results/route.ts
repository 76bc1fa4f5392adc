import { readSections } from "../../search-index";
import { findPlaces } from "../../_components/search";

/** What the search dialog shows while somebody types: at most eight places. */
export async function GET(request: Request): Promise<Response> {
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 200);
  return Response.json(findPlaces(await readSections(), query));
}
