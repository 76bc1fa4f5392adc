import { API_TABLE } from "@/app/api/table";
import { newId } from "@/lib/contract/ids";
import { handleApiRequest } from "@/lib/interfaces/http/api-table";
import { imprintProxy } from "@/packages/server/proxy";
import type { ImprintProxyOptions } from "@/packages/server/proxy-types";
import { BROWSER_HEADERS, type Site, submissionBody } from "./visits";

export const VISITOR = "8.8.8.8";
export const SCRIPT = "/* the component */";

type Seen = { path: string; headers: Headers };

/** The real service reached through `fetch`, with a stub for files; records requests and can inject faults. */
function startService() {
  const seen: Seen[] = [];
  const service = {
    seen,
    fault: undefined as ((path: string) => Response | Promise<Response> | undefined) | undefined,
    fetch: async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      seen.push({ path: pathname, headers: request.headers });
      const fault = await service.fault?.(pathname);
      if (fault) return fault;
      if (pathname.startsWith("/v1/"))
        return pathname.endsWith("js")
          ? new Response(`${SCRIPT} ${pathname}`, { headers: { "Content-Type": "text/javascript; charset=utf-8" } })
          : new Response("", { status: 404 });
      return handleApiRequest(API_TABLE, request, { requestId: newId("request"), address: "203.0.113.77" });
    },
  };
  return service;
}

export function setUp(site: Pick<Site, "apiKey">, options: Partial<ImprintProxyOptions> = {}) {
  const service = startService();
  const errors: string[] = [];
  const proxy = imprintProxy({
    endpoint: "https://imprint.example",
    apiKey: site.apiKey,
    fetch: service.fetch,
    onError: (error) => errors.push(error.message),
    ...options,
  });
  return { service, errors, proxy };
}

export type Setup = ReturnType<typeof setUp>;

export const pageHeaders = (site: Pick<Site, "origin">, more: Record<string, string> = {}) => ({
  host: "shop.example",
  ...BROWSER_HEADERS,
  "sec-fetch-site": "same-origin",
  origin: site.origin,
  "content-type": "text/plain;charset=UTF-8",
  ...more,
});

/** Posts as a page does. */
export async function post(
  { proxy }: Setup,
  site: Site,
  name: string,
  body: string,
  more: Record<string, string> = {},
) {
  const request = new Request(`${site.origin}/_i/${name}`, { method: "POST", headers: pageHeaders(site, more), body });
  const response = await proxy(request, { address: VISITOR });
  if (!response) throw new Error("the proxy did not answer");
  const cookie = response.headers.get("set-cookie");
  const answer = (await response.json()) as {
    challenge: string;
    imprint: string;
    token?: string;
    error?: { code: string; message: string };
  };
  return { status: response.status, headers: response.headers, answer, cookie, jar: cookie?.split(";", 1)[0] };
}

/** Makes a complete visit; the browser keeps the cookie, the page its earlier token. */
export async function visitThrough(
  setup: Setup,
  site: Site,
  { jar = "", pageToken }: { jar?: string; pageToken?: string } = {},
) {
  const ask = JSON.stringify({ environment_id: site.environmentId, token: pageToken });
  const issued = await post(setup, site, "a", ask, jar === "" ? {} : { cookie: jar });
  const kept = issued.jar ?? jar;
  const body = submissionBody(site, { challenge: issued.answer.challenge, token: pageToken });
  const submitted = await post(setup, site, "b", body, kept === "" ? {} : { cookie: kept });
  return { issued, submitted, jar: submitted.jar ?? kept };
}
