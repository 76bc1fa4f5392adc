import { z } from "zod";

export const port = z.coerce.number().int().min(0).max(65535);

export const httpUrl = z.url({ protocol: /^https?$/ });

/** An own address as browsers and clients write it: host in lower case, no default port. They compare it as text. */
export const ownUrl = httpUrl
  .refine((text) => !/[?#@]/.test(text), "an address without user name, query and fragment is expected")
  .transform((text) => new URL(text).href);

function isDecodable(text: string): boolean {
  try {
    const { username, password, pathname } = new URL(text);
    decodeURIComponent(username + password + pathname);
    return true;
  } catch (error) {
    return !(error instanceof URIError);
  }
}

const DECODABLE = "a `%` that stands for itself, as in a password, is written `%25` in an address";

/** Of a server to which a name and a password in the address are given. */
export const serverUrl = (protocol: RegExp) => z.url({ protocol }).refine(isDecodable, DECODABLE);

/** Read by `parseAddress` in db/address.ts; several servers and the folder of a socket are no URL. */
export const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE")
  .refine(isDecodable, DECODABLE);

/** What stands between blanks. */
export const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

export const areHttpsUrls = (text: string) =>
  words(text).every((word) => URL.canParse(word) && new URL(word).protocol === "https:");

const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;

export const areOrigins = (text: string) => words(text).every(isOrigin);

export const areHosts = (text: string) =>
  words(text).every((word) => /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/.test(word));

/** Keys of age; the library checks their sums when it uses them. */
export const areRecipients = (text: string) => words(text).every((word) => /^age1[a-z0-9]{50,}$/.test(word));

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const isHttpsOrLoopback = (text: string): boolean => {
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || LOOPBACK.test(hostname);
};

const SigningKeySet = z.object({
  keys: z.array(z.object({ kty: z.literal("EC"), crv: z.literal("P-256"), d: z.string().min(1) })).min(1),
});

export function isSigningKeySet(text: string): boolean {
  try {
    return SigningKeySet.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
