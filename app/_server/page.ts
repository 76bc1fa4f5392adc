import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";

import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import type { Context } from "@/lib/platform/context";
import { ERRORS, isAppError } from "@/lib/contract/errors";
import { CLIENT_ADDRESS_HEADER, OPERATION_HEADER, PAGE_PATH_HEADER } from "@/lib/interfaces/http/client";
import { newId } from "@/lib/contract/ids";
import { log } from "@/lib/platform/log";
import { readSession, sessionCookie, type SignedIn } from "@/lib/tenancy/sign-in";
import { pageReader } from "./recent-write";

/** The id under which the server entry logs this request, or a new one. */
export const requestId = cache(async (): Promise<string> => (await headers()).get("x-request-id") ?? newId("request"));

/** Operation name of this request in the log. */
export const requestOperation = async (): Promise<string | undefined> =>
  (await headers()).get(OPERATION_HEADER) ?? undefined;

/** Request id and client address, set by the server entry. */
export async function requestFacts(): Promise<Pick<Context, "requestId" | "address">> {
  const address = (await headers()).get(CLIENT_ADDRESS_HEADER);
  return { requestId: await requestId(), ...(address === null ? {} : { address }) };
}

/**
 * Error that a page throws instead of an unexpected one. Next prints what it catches, and a failed query contains its
 * parameters: the original error goes to our log, which redacts them.
 */
async function unreadable(error: unknown): Promise<Error> {
  const id = await requestId();
  log.error({ err: error, operation: await requestOperation(), requestId: id }, "a page could not be read");
  return Object.assign(new Error("The page could not be read"), { digest: id });
}

/** The signed-in person, looked up once per request. */
export const currentActor = cache(async (): Promise<SignedIn | undefined> => {
  const token = (await cookies()).get(sessionCookie())?.value;
  try {
    return await readSession(database(), token);
  } catch (error) {
    throw await unreadable(error);
  }
});

/** The requested path with its query; undefined outside the server entry. */
async function requestedPath(): Promise<string | undefined> {
  const path = (await headers()).get(PAGE_PATH_HEADER);
  if (path === null) return undefined;
  const { pathname, search, searchParams } = new URL(path, "http://page");
  // The router adds `_rsc` to the requests that it makes; it is not part of the address.
  if (!searchParams.has("_rsc")) return pathname + search;
  searchParams.delete("_rsc");
  return `${pathname}${searchParams.size === 0 ? "" : `?${searchParams.toString()}`}`;
}

/**
 * The context of a page. Redirects visitors who are not signed in to the sign-in page and back to the complete
 * requested address, whichever layout or page notices first; to `path` if that is unknown.
 */
export async function pageContext(path: string): Promise<Context & { actor: SignedIn }> {
  const actor = await currentActor();
  if (!actor) redirect(`/sign-in?next=${encodeURIComponent((await requestedPath()) ?? path)}`);
  return { db: database(), reader: await pageReader(), now: now(), actor, ...(await requestFacts()) };
}

/** A meaningless address, such as a cursor from another version, is treated as not found. */
const NOT_THERE: readonly number[] = [400, 404];

type PageData<T> = { ok: true; value: T } | { ok: false; restriction: string };

/**
 * Loads the data of a page. `not_found` and meaningless addresses render the not-found page, a missing permission
 * is returned, and anything else renders the error page with the request id.
 */
export async function readForPage<T>(work: () => Promise<T>): Promise<PageData<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (isAppError(error) && NOT_THERE.includes(ERRORS[error.code].status)) notFound();
    if (isAppError(error) && error.code === "forbidden") return { ok: false, restriction: error.message };
    throw await unreadable(error);
  }
}
