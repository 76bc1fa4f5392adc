import { z } from "zod";

import { parseAddress } from "@/db/address";

export const port = z.coerce.number().int().min(0).max(65535);

export const httpUrl = z.url({
  protocol: /^https?$/,
  error: "Invalid URL: expected one such as https://imprint.example, or http://…",
});

/** The service's own URL, normalised as browsers and clients write it (lower-case host, no default port): they compare it as text. */
export const ownUrl = httpUrl
  .refine((text) => !/[?#@]/.test(text), "expected a URL without user name, query and fragment")
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

const DECODABLE = "write a literal `%`, as in a password, as `%25`";

/** URL of a server that may contain a user name and a password. */
export const serverUrl = (protocol: RegExp) => z.url({ protocol }).refine(isDecodable, DECODABLE);

/** Not `z.url`: multi-host and socket addresses are no valid URLs. */
export const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE", abort: true })
  .refine(isDecodable, { error: DECODABLE, abort: true })
  .superRefine((text, context) => {
    try {
      parseAddress(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : DECODABLE });
    }
  });

/** Splits at whitespace. */
export const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

export const areHttpsUrls = (text: string) =>
  words(text).every((word) => URL.canParse(word) && new URL(word).protocol === "https:");

const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;

export const areOrigins = (text: string) => words(text).every(isOrigin);

export const areHosts = (text: string) =>
  words(text).every((word) => /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/.test(word));

/** age recipients. The age library verifies the checksum when it uses them. */
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
