import { expect, test } from "vitest";

import { Report } from "@/lib/contract/report";
import { exampleVisit } from "./example-visit";

test("the front page's Report is what the current rules produce (`npm run generate` rewrites it)", async () => {
  const example = exampleVisit();
  expect(Report.parse(example.report).risk.status).toBe("DECEPTIVE");
  await expect(`${JSON.stringify(example, undefined, 2)}\n`).toMatchFileSnapshot(
    "../../../app/(site)/_components/example-visit.json",
  );
});
