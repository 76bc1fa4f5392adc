import { headers } from "next/headers";

/** The nonce of this answer's Content-Security-Policy, as the server entry put it on the request. */
export async function policyNonce(): Promise<string | undefined> {
  const policy = (await headers()).get("content-security-policy") ?? "";
  return /'nonce-([^']+)'/.exec(policy)?.[1];
}
