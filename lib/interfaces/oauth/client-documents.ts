import { AsyncLocalStorage } from "node:async_hooks";

import { database, type Db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { isPublicDocumentUrl } from "./domain/document-url";
import { assumeDocument } from "./domain/registration";
import type { Fetch } from "./fetch-document";
import { freshFor } from "./fresh-for";
import {
  findDocument,
  findUnreached,
  listDocuments,
  saveAssumed,
  saveDocument,
  saveReached,
  saveUnreached,
} from "./queries-documents";

/** Cache time; a change takes effect in every process after it. */
const FRESH_MS = 1_000;
/** If another document was reached within this time, one unreachable document says nothing about the others. */
const GRACE_MINUTES = 60;
/**
 * Number of known documents to try, in addition to the one that failed, to find out whether documents can be reached
 * again.
 */
const MAX_TRIED = 3;

/** Thrown when the host of a client's document does not answer or cannot be reached. */
export class DocumentUnreachable extends Error {
  override name = "DocumentUnreachable";
}

const areReachable = freshFor(FRESH_MS, async (db) => (await findUnreached(db)) === undefined);

/** Whether the metadata offers identification by client metadata document. */
export const areDocumentsOffered = async (): Promise<boolean> =>
  env.MCP_CLIENT_DOCUMENTS === "auto" ? areReachable.current() : env.MCP_CLIENT_DOCUMENTS === "on";

/** @throws DocumentUnreachable */
async function fetchReachable(fetch: Fetch, ...given: Parameters<Fetch>): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(...given);
  } catch (cause) {
    throw new DocumentUnreachable("the client's document cannot be reached", { cause });
  }
  if (response.status >= 500 || response.status === 429)
    throw new DocumentUnreachable(`the client's document was answered with ${response.status}`);
  return response;
}

/** Stores what was learnt if the database is available; a failure does not fail the request. */
async function keep(work: Promise<void>): Promise<void> {
  try {
    await work;
    areReachable.invalidate();
  } catch (error) {
    log.warn({ err: error }, "what was learnt about a client's document could not be stored");
  }
}

const isOf = (document: string, clientId: string): boolean => {
  const parsed = JSON.parse(document) as { client_id?: unknown } | null;
  return parsed?.client_id === clientId;
};

/** The redirect address of the current request. */
const askedRedirect = new AsyncLocalStorage<string>();

/** Runs `work` for a request with the given redirect address, if it has one. */
export const withRedirect = <T>(redirectUri: string | null | undefined, work: () => T): T =>
  redirectUri ? askedRedirect.run(redirectUri, work) : work();

/** The document of a client whose host cannot be reached: as last read, or, with `auto`, as assumed. */
async function documentWithoutHost(clientId: string): Promise<string | undefined> {
  const kept = await findDocument(database(), clientId);
  if (kept?.isRead || env.MCP_CLIENT_DOCUMENTS !== "auto") return kept?.isRead ? kept.document : undefined;
  const redirectUri = askedRedirect.getStore();
  const assumed = redirectUri === undefined ? undefined : assumeDocument(clientId, redirectUri, kept?.document);
  if (assumed !== undefined && assumed !== kept?.document) await keep(saveAssumed(database(), clientId, assumed));
  return assumed ?? kept?.document;
}

/** Whether the client's identity is verified: its document was read from where it is published. */
export const isVouchedFor = async (db: Db, clientId: string): Promise<boolean> =>
  (await findDocument(db, clientId))?.isRead ?? false;

/**
 * Wraps `fetch`, which normalises documents, and stores what it reads. While a client's host is unreachable, its last
 * document is used; a client that redirects to the person's own machine is treated as if it had registered itself.
 * Clients keep their id after a refusal and would never register.
 */
export const keepingDocuments =
  (fetch: Fetch): Fetch =>
  async (url, options) => {
    const clientId = url instanceof Request ? url.url : String(url);
    if (!isPublicDocumentUrl(clientId)) return fetch(url, options);
    try {
      const response = await fetchReachable(fetch, url, options);
      if (response.status !== 200) {
        await keep(saveReached(database()));
        return response;
      }
      const document = await response.text();
      await keep(isOf(document, clientId) ? saveDocument(database(), clientId, document) : saveReached(database()));
      return new Response(document, { headers: response.headers });
    } catch (error) {
      if (!(error instanceof DocumentUnreachable)) throw error;
      log.warn({ err: error, host: new URL(clientId).host }, "the document of a client cannot be reached");
      await keep(saveUnreached(database(), clientId, GRACE_MINUTES));
      const kept = await documentWithoutHost(clientId);
      if (kept === undefined) throw error;
      return new Response(kept, { headers: { "content-type": "application/json" } });
    }
  };

/** While documents are not offered because one was unreachable, tries whether they can be reached again. */
export async function retryDocuments(db: Db, fetch: Fetch): Promise<void> {
  if (env.MCP_CLIENT_DOCUMENTS !== "auto") return;
  const failed = await findUnreached(db);
  if (failed === undefined) return;
  for (const clientId of new Set([failed, ...(await listDocuments(db, MAX_TRIED))])) {
    try {
      await fetchReachable(fetch, clientId, { headers: { accept: "application/json" }, redirect: "manual" });
      await saveReached(db);
      return;
    } catch (error) {
      if (!(error instanceof DocumentUnreachable)) throw error;
    }
  }
}
