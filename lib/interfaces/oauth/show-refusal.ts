import type { KoaContextWithOIDC } from "oidc-provider";

import { env } from "@/lib/platform/env";
import { areDocumentsOffered, DocumentUnreachable } from "./client-documents";
import { isPublicDocumentUrl } from "./domain/document-url";
import { refusalPage } from "./refusal-page";

/** An error thrown by the library; `expose` marks refusals. */
export type Failure = Error & { expose?: boolean; error_description?: string | undefined };

/** Whether a client was refused because its document cannot be reached. */
export const isUnreachable = ({ cause }: Failure): boolean => cause instanceof DocumentUnreachable;

/** The code and description shown on the refusal page. */
async function explain({ oidc }: KoaContextWithOIDC, failure: Failure) {
  if (!failure.expose) return { code: "server_error", description: undefined };
  const { message, error_description: description } = failure;
  if (isUnreachable(failure)) {
    const isOffered = await areDocumentsOffered().catch(() => true);
    return { code: isOffered ? "document_unreachable_for_now" : "document_unreachable", description };
  }
  const clientId = oidc.params?.["client_id"];
  const isDocument = typeof clientId === "string" && isPublicDocumentUrl(clientId);
  const isOff = message === "invalid_client" && isDocument && env.MCP_CLIENT_DOCUMENTS === "off";
  return { code: isOff ? "documents_off" : message, description };
}

/** Replaces the library's answer by the refusal page. */
export async function showRefusal(context: KoaContextWithOIDC, failure: Failure): Promise<void> {
  const { code, description } = await explain(context, failure);
  context.remove("Location");
  context.status = failure.expose ? 400 : 500;
  context.type = "html";
  for (const [name, value] of Object.entries(refusalPage.headers)) context.set(name, value);
  context.body = refusalPage.html(code, description);
}
