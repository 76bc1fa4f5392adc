import { expect, test } from "vitest";

import { type InitialVariables, readInitialSet } from "./initial-set";

const owner = { INIT_OWNER_EMAIL: "ada@example.com", INIT_WORKSPACE: "Acme" };
const webApp = { INIT_WEB_APP: "Shop", INIT_ORIGINS: "https://a.example, https://b.example,", INIT_API_KEY: "key" };

test("the variables set up an owner with a workspace, and optionally a Web App with origins and key", () => {
  expect(readInitialSet({})).toEqual({ set: undefined });
  const bare = { email: "ada@example.com", workspaceName: "Acme" };
  expect(readInitialSet(owner)).toEqual({ set: { ...bare, webApp: undefined } });
  expect(readInitialSet({ ...owner, ...webApp, INIT_ENVIRONMENT_ID: "env" })).toEqual({
    set: {
      ...bare,
      webApp: {
        name: "Shop",
        origins: ["https://a.example", "https://b.example"],
        environmentId: "env",
        key: { text: "key" },
      },
    },
  });
  expect(readInitialSet({ ...owner, ...webApp, INIT_API_KEY: undefined, INIT_API_KEY_FILE: "/key" })).toMatchObject({
    set: { webApp: { key: { file: "/key" } } },
  });
});

test.each<[InitialVariables, RegExp]>([
  [{ INIT_OWNER_EMAIL: "ada@example.com" }, /^INIT_WORKSPACE missing/],
  [{ INIT_WORKSPACE: "Acme" }, /^INIT_OWNER_EMAIL missing/],
  [webApp, /^INIT_OWNER_EMAIL, INIT_WORKSPACE missing/],
  [{ INIT_ENVIRONMENT_ID: "env" }, /^INIT_OWNER_EMAIL, INIT_WORKSPACE missing/],
  [{ ...owner, INIT_WEB_APP: "Shop" }, /^INIT_ORIGINS, INIT_API_KEY \(or INIT_API_KEY_FILE\) missing/],
  [{ ...owner, INIT_API_KEY: "key" }, /^INIT_WEB_APP, INIT_ORIGINS missing/],
  [{ ...owner, ...webApp, INIT_ORIGINS: undefined }, /^INIT_ORIGINS missing/],
  [{ ...owner, ...webApp, INIT_API_KEY: undefined }, /^INIT_API_KEY \(or INIT_API_KEY_FILE\) missing/],
  [{ ...owner, INIT_ENVIRONMENT_ID: "env" }, /^INIT_WEB_APP, INIT_ORIGINS, INIT_API_KEY .* missing/],
  [{ ...owner, ...webApp, INIT_API_KEY_FILE: "/key" }, /both set/],
])("an incomplete set, %j, is refused, naming the missing variables", (given, obstacle) => {
  expect(readInitialSet(given)).toEqual({ obstacle: expect.stringMatching(obstacle) as string });
});
