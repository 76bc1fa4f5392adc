import { Script } from "node:vm";

import { expect, test } from "vitest";

import { OPERATIONS } from "@/lib/contract";
import { exampleOf } from "@/lib/contract/examples";
import { REQUEST_LANGUAGES, type RequestLanguage, requestSample, type SampleRequest } from "./request-samples";

const LANGUAGES = Object.keys(REQUEST_LANGUAGES) as RequestLanguage[];
const requests = OPERATIONS.flatMap(({ id, method, security }): SampleRequest[] => {
  const example = exampleOf(id);
  return example && security !== "origin" ? [{ method, security, path: example.path, body: example.body }] : [];
});

test.each(LANGUAGES)("a sample in %s contains the URL and the credential's variable, and no secret", (name) => {
  expect(requests.length).toBeGreaterThan(10);
  for (const request of requests) {
    const sample = requestSample(name, request);
    expect(sample).toContain(request.path);
    expect(/IMPRINT_\w*(KEY|TOKEN)/.test(sample)).toBe(!["none", "purchase"].includes(request.security));
    expect(sample).not.toMatch(/svc_|undefined|Bearer \w/);
  }
});

test("the Node samples are valid scripts, even if the body contains every kind of quote", () => {
  const hostile = {
    method: "POST",
    path: "/x",
    security: "apiKey",
    body: { name: "'\"`${1}\\\n\u2028</script>" },
  } as const;
  for (const request of [...requests, hostile]) {
    const code = requestSample("Node", request);
    expect(() => new Script(`async () => {\n${code}\n}`)).not.toThrow();
  }
});
