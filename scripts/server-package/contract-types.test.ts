import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, expectTypeOf, test } from "vitest";

import type { Report as ContractReport } from "@/lib/contract/report";
import type { ErrorCode } from "@/lib/contract/errors";
import type { History as ContractHistory } from "@/lib/contract/history";
import type { History, Report, ServiceCode } from "@/packages/server/contract";
import { renewPython } from "./python-types";
import { typescriptTypes } from "./typescript-types";

const PYTHON_MODULE = join(import.meta.dirname, "../../packages/server/python/imprint_server.py");

test("the Python module has the types, codes and messages of the contract (`npm run generate` rewrites them)", async () => {
  await expect(renewPython(await readFile(PYTHON_MODULE, "utf8"))).toMatchFileSnapshot(PYTHON_MODULE);
});

test("the published types match the contract (`npm run generate` rewrites them)", async () => {
  await expect(typescriptTypes()).toMatchFileSnapshot("../../packages/server/contract.ts");
  expectTypeOf<Report>().toEqualTypeOf<ContractReport>();
  expectTypeOf<History>().toEqualTypeOf<ContractHistory>();
  expectTypeOf<ServiceCode>().toEqualTypeOf<ErrorCode>();
});
