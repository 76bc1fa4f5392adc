import { escapeHtml, PLAIN_PAGE_HEADERS, plainPage } from "@/lib/interfaces/http/plain-page";

/** Advice by error code. */
const REMEDIES: Record<string, string> = {
  access_denied: "Clients cannot be connected to this service at present. Ask whoever runs it.",
  mcp_disabled: "Clients cannot be connected to this service at present. Ask whoever runs it.",
  invalid_client:
    "This service does not know the client any more. Remove the connection in the client and add it again.",
  document_unreachable:
    "This service could not reach the address at which the client describes itself. Connect once more in the client: it will now register itself instead, which needs no outgoing connection.",
  document_unreachable_for_now:
    "This service could not reach the address at which the client describes itself. Start again in the client in a minute. If that does not help, ask whoever runs this service whether it may reach that address.",
  documents_off:
    "This service does not fetch the documents in which clients describe themselves. Connect once more in the client: it will register itself instead.",
  invalid_redirect_uri: "The client asked for a redirect to an address that it did not register.",
  invalid_request: "The request of the client is not complete or not valid. Start again in the client.",
  invalid_target: "The client asked for access to something other than this service.",
  temporarily_unavailable: "Too many requests came from your network. Wait a minute and start again in the client.",
  server_error: "Something went wrong on our side. Start again in the client in a moment.",
};

/**
 * The page for a request that cannot be redirected to the client, because the client is unknown or the redirect address
 * is not registered. It needs no scripts or other resources.
 */
export const refusalPage = {
  headers: PLAIN_PAGE_HEADERS,
  html: (code: string, description: string | undefined): string =>
    plainPage({
      title: "Request refused",
      heading: "The client’s request was refused",
      html:
        `<p>${escapeHtml(REMEDIES[code] ?? "Start again in the client.")}</p>` +
        `<p><code>${escapeHtml(description ? `${code}: ${description}` : code)}</code></p>`,
    }),
};
