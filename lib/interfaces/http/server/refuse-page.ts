import type { IncomingMessage } from "node:http";

import { isStorableTarget } from "@/lib/platform/storable";
import { isFromOwnPage } from "../own-page";
import type { Surface, Target } from "./target";

/** A multipart form without a boundary. */
const UNBOUNDED_FORM = /^\s*multipart\/form-data(?!.*\bboundary=[^\s;])/is;

type Refusal = { status: number; text: string };

/**
 * The refusal of a request for a page; undefined if it may proceed. Pages use parts of the URL in database searches,
 * and PostgreSQL accepts neither NUL nor a lone surrogate. Forms and server actions act with the visitor's cookie, so
 * only our own pages may send them. Operations and the other protocols refuse both in their own formats.
 */
export function pageRefusal(
  surface: Surface,
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  { url }: Target,
  baseUrl: string,
): Refusal | undefined {
  if (surface !== "page" && surface !== "file" && surface !== "sessionApi") return undefined;
  if (!isStorableTarget(url)) return { status: 400, text: "The address contains %00, which is never valid here.\n" };
  const { origin, host } = headers;
  const fetchSite = headers["sec-fetch-site"];
  if (method !== "POST" || surface === "sessionApi") return undefined;
  if (!isFromOwnPage({ origin, host, fetchSite }, baseUrl))
    return { status: 403, text: "This form was not sent by a page of this service.\n" };
  return UNBOUNDED_FORM.test(headers["content-type"] ?? "")
    ? { status: 400, text: "The multipart form has no boundary.\n" }
    : undefined;
}
