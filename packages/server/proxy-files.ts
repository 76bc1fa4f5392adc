import { ProxyFailure } from "./proxy-failure";
import type { ProxySettings } from "./proxy-options";
import { headerOf } from "./proxy-cookie";
import type { Incoming, Outgoing } from "./proxy-types";
import { readText } from "./read-text";
import { within } from "./within";

const FRESH_MS = 3_600_000;
/** After a failure the file that is there is served for this long before the service is asked again. */
const RETRIED_AFTER_MS = 10_000;

type File = { text: string; etag: string; askAfter: number };

const text = (status: number, body: string, headers: Record<string, string> = {}): Outgoing => ({
  status,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  body,
});

async function digest(content: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content)));
  return Array.from(bytes.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @throws ProxyFailure */
async function load({ endpoint, timeoutMs, fetch }: ProxySettings, name: string): Promise<File> {
  try {
    return await within(timeoutMs, undefined, async (signal) => {
      const response = await fetch(`${endpoint}/v1/${name}`, { redirect: "manual", signal });
      const content = await readText(response);
      const isScript = response.headers.get("Content-Type")?.includes("javascript") === true;
      if (response.status !== 200 || !isScript)
        throw new ProxyFailure(
          response.status === 404
            ? `the service has no file /v1/${name}: is componentVersion a version that it has released?`
            : `the service answered with status ${response.status} to a request for /v1/${name}`,
        );
      return { text: content, etag: `"${await digest(content)}"`, askAfter: Date.now() + FRESH_MS };
    });
  } catch (error) {
    if (error instanceof ProxyFailure) throw error;
    throw new ProxyFailure(`/v1/${name} could not be read from the service at \`endpoint\``, 1, error);
  }
}

/** Serves the component's files from memory: what is old is served on while it is read anew. */
export function createFiles(settings: ProxySettings, report: (error: Error) => void) {
  const files = new Map<string, File>();

  const refresh = async (name: string) => {
    const file = await load(settings, name);
    files.set(name, file);
    return file;
  };

  const get = async (name: string): Promise<File> => {
    const known = files.get(name);
    if (known === undefined) return refresh(name);
    if (Date.now() > known.askAfter) {
      // One request asks for all that come meanwhile.
      known.askAfter = Date.now() + RETRIED_AFTER_MS;
      refresh(name).catch(report);
    }
    return known;
  };

  /** @param name at the service, below `/v1/` */
  return async (incoming: Incoming, name: string): Promise<Outgoing> => {
    try {
      const file = await get(name);
      const headers = {
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": "public, max-age=3600, stale-while-revalidate=86400",
        ETag: file.etag,
        "X-Content-Type-Options": "nosniff",
      };
      const asked = (headerOf(incoming, "if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
      if (asked.includes(file.etag)) return { status: 304, headers, body: "" };
      return { status: 200, headers, body: incoming.method === "HEAD" ? "" : file.text };
    } catch (error) {
      report(error as Error);
      return text(503, "Not available at present\n", { "Retry-After": "1" });
    }
  };
}

export const notFound = (): Outgoing => text(404, "Not found\n");
export const wrongMethod = (allowed: string): Outgoing => text(405, "Method not allowed\n", { Allow: allowed });
