import { isLoopback } from "./registration";
import { isSystemScheme, isApplicationScheme } from "./schemes";

/** The rule for http on loopback addresses, on any port. */
export const OWN_MACHINE = "this-machine";

const HOST = /^(?=.{1,253}(?::|$))[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:$/;
const MAX_CHARACTERS = 500;

export const MAX_RULES = 50;

/** Schemes for which there are other kinds of rules. */
const NO_RULES = ["http:", "https:"];

function parseAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" && url.username === "" && url.password === "" && url.hash === ""
    ? url.href
    : undefined;
}

/**
 * Parses and normalises a rule: an https URL, a host (any https URL on it), an application's scheme (`cursor:`), or
 * `this-machine`. Undefined for anything else.
 */
export function parseRedirectRule(text: string): string | undefined {
  const rule = text.trim();
  if (rule.length > MAX_CHARACTERS) return undefined;
  if (rule.includes("://")) return parseAddress(rule);
  const lower = rule.toLowerCase();
  if (lower === OWN_MACHINE || HOST.test(lower)) return lower;
  return SCHEME.test(lower) && !NO_RULES.includes(lower) && !isSystemScheme(lower) ? lower : undefined;
}

function matches(rule: string, url: URL): boolean {
  if (rule === OWN_MACHINE) return isLoopback(url);
  if (url.protocol === "https:") return rule === url.host || rule === url.href;
  return url.protocol !== "http:" && rule === url.protocol;
}

/**
 * Whether authorization codes may be sent to an address. Without rules they may be sent to any web site, to programs on
 * the person's own machine, and to the schemes of known applications.
 */
export function isRedirectAllowed(rules: readonly string[], redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const url = new URL(redirectUri);
  if (isSystemScheme(url.protocol)) return false;
  if (rules.length === 0) return /^https?:$/.test(url.protocol) || isApplicationScheme(url.protocol);
  return rules.some((rule) => matches(rule, url));
}

/** Why the rules refuse the addresses; undefined if they are allowed. */
export function ruleObstacle(rules: readonly string[], uris: unknown): string | undefined {
  const addresses = (Array.isArray(uris) ? (uris as unknown[]) : []).map(String);
  const refused = addresses.find((uri) => !isRedirectAllowed(rules, uri));
  if (refused === undefined) return undefined;
  return rules.length === 0
    ? `${refused} does not have the scheme of a known application. Use https, http on this machine, or a reverse domain name (com.example.app:), or have the operator approve the scheme`
    : `This instance sends codes only to approved addresses, and ${refused} is not one`;
}
