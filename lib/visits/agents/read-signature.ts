import {
  type BareItem,
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  type Parameters,
  parseDictionary,
  parseItem,
  serializeInnerList,
  serializeItem,
} from "structured-headers";

type ReadHeader = (name: string) => string | undefined;

/** The parts of a request that a signature covers. */
export type SignedRequest = {
  header: ReadHeader;
  method: string;
  path: string;
  /** The host that the request must have been signed for, without a default port. */
  authority: string;
};

/** Why a signature is not accepted. Shown in the Console; never affects a verdict. */
export type Refusal =
  | "malformed"
  | "too large"
  | "not covered"
  | "not current"
  | "unknown key"
  | "another agent"
  | "wrong signature"
  | "used before";

/** A well-formed, current signature that has not been verified yet. */
export type ReadSignature = {
  keyId: string;
  algorithm: string | undefined;
  /**
   * Possible signature bases (RFC 9421, section 2.5). A second one has the whole `Signature-Agent` header in place of
   * its member, as the web-bot-auth packages for npm and Rust sign it.
   */
  bases: string[];
  bytes: Buffer;
  /** Origin that the request claims to come from. */
  signatureAgent: string | undefined;
};

const TAG = "web-bot-auth";
/** Longer headers are refused without parsing. */
const MAX_CHARACTERS = 2048;
const MAX_SIGNATURES = 4;
const MAX_COMPONENTS = 16;
/** A signature is made for one request, so an older one was stored and replayed. */
export const MAX_AGE_SECONDS = 300;
/** How far an agent's clock may be ahead of ours. */
export const CLOCK_SKEW_SECONDS = 30;
/** SHA-256 thumbprint in base64url (RFC 7638). */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;
const COMPONENT_NAME = /^(?:@[a-z-]+|[a-z0-9!#$%&'*+.^_`|~-]+)$/;

const fail = (reason: Refusal): { refused: Refusal } => ({ refused: reason });

/** Finds the only signature with our tag. Other tags are for other purposes. */
function findInput(dictionary: Dictionary): { label: string; input: InnerList } | undefined {
  const ours = [...dictionary].flatMap(([label, member]) =>
    isInnerList(member) && member[1].get("tag") === TAG ? [{ label, input: member }] : [],
  );
  return ours.length === 1 ? ours[0] : undefined;
}

const isSeconds = (value: BareItem | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Whether a signature is within its lifetime and recent. `now` is in seconds. */
function isCurrent(parameters: Parameters, now: number): boolean {
  const [created, expires] = [parameters.get("created"), parameters.get("expires")];
  if (!isSeconds(created) || !isSeconds(expires) || expires <= created) return false;
  return expires > now && created <= now + CLOCK_SKEW_SECONDS && created >= now - MAX_AGE_SECONDS;
}

/** The `Signature-Agent` header: a string, or members of a dictionary. */
type Agent = { whole: string; members: Map<string, Item> | undefined; value: string | undefined };

function readAgent(header: string, label: string): Agent {
  const whole = header.trim();
  if (whole.startsWith('"')) {
    const [value] = parseItem(whole);
    return { whole, members: undefined, value: typeof value === "string" ? value : undefined };
  }
  const members = new Map<string, Item>();
  for (const [key, member] of parseDictionary(whole)) if (!isInnerList(member)) members.set(key, member);
  const [value] = members.get(label) ?? (members.size === 1 ? [...members.values()][0] : undefined) ?? [];
  return { whole, members, value: typeof value === "string" ? value : undefined };
}

type Component = { id: string; value: string | undefined; agent?: BareItem; whole?: string };

function derivedValue(name: string, request: SignedRequest): string | undefined {
  if (name === "@authority") return request.authority;
  if (name === "@method") return request.method;
  return name === "@path" ? request.path : undefined;
}

/**
 * A component with its value in this request. The value is undefined if it is missing or uses unsupported parameters.
 */
function readComponent([name, parameters]: Item, request: SignedRequest, agent: Agent | undefined): Component {
  const id = serializeItem([name, parameters]);
  if (typeof name !== "string" || !COMPONENT_NAME.test(name)) return { id, value: undefined };
  if (name === "signature-agent" && parameters.size === 1) {
    const key = parameters.get("key");
    const member = typeof key === "string" ? agent?.members?.get(key) : undefined;
    if (!agent || !member) return { id, value: undefined };
    return { id, value: serializeItem(member), agent: member[0], whole: agent.whole };
  }
  if (parameters.size > 0) return { id, value: undefined };
  if (name === "signature-agent") return { id, value: agent?.whole, ...(agent?.value && { agent: agent.value }) };
  if (name.startsWith("@")) return { id, value: derivedValue(name, request) };
  return { id, value: request.header(name)?.trim() };
}

function originOf(value: BareItem | undefined): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { protocol, origin } = new URL(value);
  return protocol === "https:" || protocol === "http:" ? origin : undefined;
}

/** Whether all components are known and unique, and cover the host and, if the request names an agent, that agent. */
function isCovered(components: readonly Component[], isAgentNamed: boolean): boolean {
  const ids = new Set(components.map(({ id }) => id));
  const namesAgent = components.some(({ agent }) => originOf(agent) !== undefined);
  const areKnown = components.every(({ value }) => value !== undefined && !/[\r\n]/.test(value));
  return areKnown && ids.size === components.length && ids.has('"@authority"') && (!isAgentNamed || namesAgent);
}

function readMember(request: SignedRequest, texts: { input: string; signature: string }, now: number) {
  const found = findInput(parseDictionary(texts.input));
  const signatures = parseDictionary(texts.signature);
  const [bytes] = (found && signatures.get(found.label)) ?? [];
  if (!found || signatures.size > MAX_SIGNATURES || !(bytes instanceof ArrayBuffer)) return fail("malformed");
  const [items, parameters] = found.input;
  const [keyId, algorithm, nonce] = [parameters.get("keyid"), parameters.get("alg"), parameters.get("nonce")];
  if (typeof keyId !== "string" || !THUMBPRINT.test(keyId)) return fail("malformed");
  if (algorithm !== undefined && typeof algorithm !== "string") return fail("malformed");
  if (nonce !== undefined && typeof nonce !== "string") return fail("malformed");
  if (!isCurrent(parameters, now)) return fail("not current");
  const header = request.header("signature-agent");
  const agent = header === undefined ? undefined : readAgent(header, found.label);
  if (items.length > MAX_COMPONENTS) return fail("malformed");
  const components = items.map((item) => readComponent(item, request, agent));
  if (!isCovered(components, agent !== undefined)) return fail("not covered");
  const baseOf = (valueOf: (component: Component) => string | undefined) =>
    [
      ...components.map((component) => `${component.id}: ${valueOf(component) ?? ""}`),
      `"@signature-params": ${serializeInnerList(found.input)}`,
    ].join("\n");
  const bases = [baseOf(({ value }) => value), baseOf(({ value, whole }) => whole ?? value)];
  const named = components.find((component) => component.agent !== undefined)?.agent;
  return { keyId, algorithm, bases: [...new Set(bases)], bytes: Buffer.from(bytes), signatureAgent: originOf(named) };
}

/**
 * Parses a request's Web Bot Auth signature and checks everything that does not require the key. Undefined without such
 * a signature. Source: RFC 9421; draft-ietf-webbotauth-httpsig-protocol, including its older forms.
 */
export function readSignature(request: SignedRequest, now: Date): ReadSignature | { refused: Refusal } | undefined {
  const [input, signature] = [request.header("signature-input"), request.header("signature")];
  if (input === undefined || signature === undefined) return undefined;
  const texts = [input, signature, request.header("signature-agent") ?? ""];
  if (texts.some((text) => text.length > MAX_CHARACTERS)) return fail("too large");
  if (!input.includes(TAG)) return undefined;
  try {
    return readMember(request, { input, signature }, Math.floor(now.getTime() / 1000));
  } catch {
    return fail("malformed");
  }
}
