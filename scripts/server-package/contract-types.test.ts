import { expect, expectTypeOf, test } from "vitest";

import type * as contract from "@/lib/contract/report";
import type { ErrorCode } from "@/lib/contract/errors";
import type { History as ContractHistory } from "@/lib/contract/history";
import type { History, Report, ServiceCode } from "@/packages/server/contract";
import { typescriptTypes } from "./typescript-types";

test("the published types are those of the contract (`npm run generate` rewrites them)", async () => {
  await expect(typescriptTypes()).toMatchFileSnapshot("../../packages/server/contract.ts");
  expectTypeOf<Report>().toEqualTypeOf<contract.Report>();
  expectTypeOf<History>().toEqualTypeOf<ContractHistory>();
  expectTypeOf<ServiceCode>().toEqualTypeOf<ErrorCode>();
});
