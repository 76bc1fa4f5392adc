import { parseOptions, type Settings } from "./options";
import type { ImprintProxyOptions } from "./proxy-types";

export type ProxySettings = Settings & {
  path: string;
  cookieName: string | undefined;
  clientAddress: ImprintProxyOptions["clientAddress"];
  /** Name of the component's files at the service, without their ending. */
  component: string;
  onError: (error: Error) => void;
};

const DEFAULT_PATH = "/_i";
const DEFAULT_COOKIE = "_i";
const DEFAULT_TIMEOUT_MS = 5000;

const refuse = (message: string): never => {
  throw new TypeError(`imprintProxy: ${message}`);
};

function parsePath(path: unknown): string {
  if (typeof path === "string" && /^(\/[\w.~-]+)+$/.test(path)) return path;
  return refuse("path has to be a path of your site such as /_i, without a slash at its end");
}

function parseCookie(cookie: ImprintProxyOptions["cookie"]): string | undefined {
  if (cookie === false) return undefined;
  const name: unknown = cookie?.name ?? DEFAULT_COOKIE;
  // A name that begins so is for cookies of the path / alone: browsers would drop it.
  if (typeof name === "string" && /^[\w.-]{1,64}$/.test(name) && !/^__host-/i.test(name)) return name;
  return refuse(
    "cookie.name has to be 1 to 64 letters, digits, dots, hyphens or underscores, without __Host- in front",
  );
}

function parseVersion(version: unknown): string {
  if (version === undefined) return "imprint";
  if (typeof version === "string" && /^\d+\.\d+\.\d+$/.test(version)) return `imprint-${version}`;
  return refuse("componentVersion has to be a released version such as 0.4.0");
}

/** `parseOptions` under the name of this function. */
function parseShared(options: Partial<ImprintProxyOptions>): Settings {
  try {
    const { endpoint, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, fetch } = options;
    return parseOptions({ endpoint: endpoint ?? "", apiKey: apiKey ?? "", timeoutMs, fetch });
  } catch (error) {
    return refuse((error as Error).message.replace(/^createImprintServer: /, "")); // parseOptions throws TypeErrors
  }
}

/** @throws TypeError that names the option */
export function parseProxyOptions(given: ImprintProxyOptions): ProxySettings {
  const options = Object(given) as Partial<ImprintProxyOptions>;
  const { clientAddress, onError } = options;
  if (clientAddress !== undefined && typeof clientAddress !== "function")
    return refuse("clientAddress has to be a function that gives the visitor's address");
  return {
    ...parseShared(options),
    path: parsePath(options.path ?? DEFAULT_PATH),
    cookieName: parseCookie(options.cookie),
    clientAddress,
    component: parseVersion(options.componentVersion),
    onError:
      onError ??
      ((error) => {
        console.error(error);
      }),
  };
}
