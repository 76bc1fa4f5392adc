import { expect, test } from "vitest";

import { runAdmin } from "./index";

test("values for the first start are generated without a database", async () => {
  let stdout = "";
  const code = await runAdmin(["init", "values", "--json"], {
    migrationsFolder: "",
    openDatabase: () => Promise.reject(new Error("not needed")),
    stdout: { write: (text: string) => (stdout += text) },
    stderr: process.stderr,
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    api_key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{38}$/) as string,
    environment_id: expect.stringMatching(/^env_[0-9a-f]{32}$/) as string,
  });
});
