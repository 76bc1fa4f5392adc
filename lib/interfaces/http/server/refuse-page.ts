import type { IncomingMessage } from "node:http";

import { isStorableTarget } from "@/lib/platform/storable";
import { isFromOwnPage } from "../own-page";
import type { Surface, Target } from "./target";

/** A form in parts that does not say what parts them. */
const UNBOUNDED_FORM = /^\s*multipart\/form-data(?!.*\bboundary=[^\s;])/is;

type Refusal = { status: number; text: string };

/**
 * Why a request does not get as far as a page; nothing when it does. Pages search the database for what addresses name,
 * and it takes neither NUL nor half a character. Forms and actions of pages act on behalf of a cookie, so only our own
 * pages may send them. Operations and the protocols beside them refuse both in forms of their own.
 */
export function pageRefusal(
  surface: Surface,
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  { url }: Target,
  baseUrl: string,
): Refusal | undefined {
  if (surface !== "page" && surface !== "file" && surface !== "sessionApi") return undefined;
  if (!isStorableTarget(url)) return { status: 400, text: "The address holds %00, which no address here has.\n" };
  const { origin, host } = headers;
  const fetchSite = headers["sec-fetch-site"];
  if (method !== "POST" || surface === "sessionApi") return undefined;
  if (!isFromOwnPage({ origin, host, fetchSite }, baseUrl))
    return { status: 403, text: "This form was not sent by a page of this service.\n" };
  return UNBOUNDED_FORM.test(headers["content-type"] ?? "")
    ? { status: 400, text: "The form names no boundary of its parts.\n" }
    : undefined;
}
