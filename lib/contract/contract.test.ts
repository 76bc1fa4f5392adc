import { expect, test } from "vitest";

import { API_TABLE } from "@/app/api/table";
import { ERRORS } from "@/lib/contract/errors";

import { OPERATIONS } from "./index";
import { buildOpenApiDocument, requirePortablePatterns } from "./openapi";
import { COMMON_ERRORS, type Operation } from "./operation";

/** Error statuses by operation, besides those that every operation can return. */
const SPECIFIED: Record<string, number[]> = {
  issueChallenge: [400, 403, 404, 429],
  submitImprint: [400, 403, 404, 409, 429],
  readProxyKey: [401, 429],
  listProducts: [429, 500],
  createTrialIntent: [400, 404, 409, 429, 503],
  activateTrialIntent: [400, 401, 404, 409, 429, 502, 503],
  readTrialIntent: [401, 404, 429],
  readTrialGrant: [401, 403, 429],
  buyTrial: [400, 409, 429, 502, 503],
  // 400 only for a malformed X-Account-Ref.
  readReport: [400, 401, 403, 404, 409, 429],
  readHistory: [400, 401, 403, 404, 429],
  listManagedWebApps: [401, 403, 429],
  createManagedWebApp: [400, 401, 403, 429],
  updateManagedWebApp: [400, 401, 403, 404, 409, 429],
  addManagedOrigin: [400, 401, 403, 404, 409, 429],
  removeManagedOrigin: [400, 401, 403, 404, 429],
  listManagedKeys: [401, 403, 429],
  createManagedKey: [400, 401, 403, 429],
  rotateManagedKey: [400, 401, 403, 404, 409, 429],
  revokeManagedKey: [401, 403, 404, 429],
  setLabel: [400, 401, 403, 404, 429],
};

const operations: readonly Operation[] = OPERATIONS;
const METHODS = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

test.each(operations.map((operation) => [operation.id, operation] as const))(
  "%s can return exactly its error statuses",
  (id, operation) => {
    const statuses = [...new Set(operation.errors.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
    expect(statuses).toEqual(SPECIFIED[id]);
  },
);

test("every operation can also return 405, 413, 500 and 503", () => {
  expect(COMMON_ERRORS.map((code) => ERRORS[code].status)).toEqual([405, 413, 500, 503]);
});

test("docs/openapi.json is current (`npm run generate` rewrites it)", async () => {
  await expect(`${JSON.stringify(buildOpenApiDocument(), null, 2)}\n`).toMatchFileSnapshot("../../docs/openapi.json");
});

test("the OpenAPI document contains every operation, status and parameter of the registry", () => {
  const paths = buildOpenApiDocument().paths ?? {};
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(new Set(documented)).toEqual(new Set(operations.map(({ method, path }) => `${method} ${path}`)));
  for (const operation of operations) {
    const described = paths[operation.path]?.[METHODS[operation.method]];
    const statuses = [
      ...Object.keys(operation.responses),
      ...[...operation.errors, ...COMMON_ERRORS].map((code) => String(ERRORS[code].status)),
    ];
    expect(new Set(Object.keys(described?.responses ?? {}))).toEqual(new Set(statuses));
    expect(described?.parameters?.length ?? 0).toBe(
      Object.keys(operation.params?.shape ?? {}).length +
        Object.keys(operation.query?.shape ?? {}).length +
        Object.keys(operation.headers?.shape ?? {}).length,
    );
  }
});

test("the generator refuses a pattern that needs a flag, anywhere, but not one that contains slashes", () => {
  const inside = (pattern: string) => ({ paths: { "/x": [{ schema: { type: "string", pattern } }] } });
  for (const pattern of ["^[^\\0\\p{Cs}]*$/u", "^a$/i", "^(?:x$/gu"])
    expect(() => {
      requirePortablePatterns(inside(pattern));
    }).toThrow(pattern);
  // Each is valid in only one of the two readings.
  for (const pattern of ["^\\-$", "^[^]-x]$", "^("])
    expect(() => {
      requirePortablePatterns(inside(pattern));
    }).toThrow();
  for (const pattern of ["^\\/v1\\/u$", "[a/]u", "^a$"]) requirePortablePatterns(inside(pattern));
});

test("the declared operations and the entries of the table are the same, in the same order", () => {
  const declared = operations.map(({ method, path }) => `${method} ${path}`);
  const mounted = API_TABLE.flatMap((entry) =>
    [...entry.operations.values()].map(({ operation: { method } }) => `${method} ${entry.segments.join("/")}`),
  );
  expect([...new Set(mounted)]).toEqual(declared);
});

test("only the operations of the browser component may be called from browsers", () => {
  expect(operations.filter(({ security }) => security === "origin").map(({ path }) => path)).toEqual([
    "/api/v1/imprints/challenge",
    "/api/v1/imprints",
  ]);
  for (const { path } of operations.filter(({ security }) => security === "origin"))
    expect(path).not.toContain("fingerprint");
});
